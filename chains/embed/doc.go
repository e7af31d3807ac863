// Package embed requests vectors of texts, in the form that OpenAI's embeddings and Ollama's have in common.
//
// The request has the model and the texts. The reply is one JSON document with the vectors: under data, each with its
// place, or under embeddings, in order. Package chains/wire handles retries, failures, silence and recording; the
// packages of the protocols know the address.
package embed
