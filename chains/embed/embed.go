package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"ibid/chains"
	"ibid/chains/wire"
)

// Send makes one exchange, whose reply it gives to a decoder.
type Send func(ctx context.Context, out *wire.OutgoingRequest, to wire.Decoder) error

// Texts requests n vectors, in the order of their texts. One that the reply lacks, or of which it is not clear whose it
// is, is nil. send may be called again after a failure. The error is a *chains.ProviderError or ctx.Err().
func Texts(ctx context.Context, server *wire.Client, model string, n int, send Send) (vectors [][]float32, err error) {
	vectors = make([][]float32, n)
	try := func(ctx context.Context, out *wire.OutgoingRequest) error {
		err := send(ctx, out, &reply{vectors: vectors})
		var failed *chains.ProviderError
		if errors.As(err, &failed) && failed.Status == http.StatusInternalServerError {
			failed.Retryable = false // often it means a text, which a second request does not make shorter
		}
		return err
	}
	for _, err = range server.Retry(ctx, chains.Request{Model: model}, try) {
		continue // the last error is the result
	}
	return vectors, err
}

// reply decodes a reply.
type reply struct {
	vectors [][]float32
	some    bool // vectors came
}

// placed is a vector in the form of OpenAI.
type placed struct {
	Index     *int
	Embedding json.RawMessage
}

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var doc struct {
		Data       []placed
		Embeddings []json.RawMessage
	}
	wire.Decode(raw, &doc)
	r.some = len(doc.Data)+len(doc.Embeddings) > 0
	if !r.some && !in.FailIfTold(raw) {
		in.KeepAlien(raw)
	}
	if len(doc.Embeddings) == len(r.vectors) { // else one is missing, and nothing says which
		for i, raw := range doc.Embeddings {
			r.vectors[i] = numbers(raw)
		}
	}
	r.place(doc.Data)
	return d
}

// place puts each vector to its text. Servers that count from 1, or give all vectors the same place, would give texts
// the vectors of others: where a place does not fit, all are dropped, but where no vector has a place of its own, they
// stand in the order of the texts.
func (r *reply) place(data []placed) {
	unplaced := len(data) == len(r.vectors)
	taken := map[int]bool{}
	for _, e := range data {
		unplaced = unplaced && (e.Index == nil || *e.Index == 0 || len(data) == 1)
		if e.Index != nil && *e.Index >= 0 && *e.Index < len(r.vectors) {
			taken[*e.Index] = true
		}
	}
	if !unplaced && len(taken) < len(data) {
		return
	}
	for i, e := range data {
		if !unplaced {
			i = *e.Index
		}
		r.vectors[i] = numbers(e.Embedding)
	}
}

// numbers returns a vector, nil if it is not one of numbers: some servers write null where they failed to compute.
func numbers(raw json.RawMessage) (v []float32) {
	if bytes.Contains(raw, []byte("null")) || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.IncomingReply, last wire.Frame) (d chains.Delta, err error) {
	if !r.some {
		err = in.Unfinished(last)
	}
	return d, err
}
