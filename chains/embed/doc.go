// Package embed reads vectors of texts, in the forms of OpenAI's embeddings and of Ollama's.
//
// The reply is one JSON document with the vectors: under data, each with its place, or under embeddings, in order.
// Package chains/wire handles retries, failures, silence and recording; the packages of the protocols send the request.
package embed
