package embed

import (
	"context"

	"ibid/chains"
	"ibid/chains/wire"
)

// Send makes one exchange, whose reply it gives to a decoder.
type Send func(ctx context.Context, out *wire.OutgoingRequest, to wire.Decoder) error

// Texts requests n vectors, in the order of their texts; one that the reply lacks is nil. send may be called again
// after a failure. The error is a *chains.ProviderError or ctx.Err().
func Texts(ctx context.Context, server *wire.Client, model string, n int, send Send) (vectors [][]float32, err error) {
	vectors = make([][]float32, n)
	try := func(ctx context.Context, out *wire.OutgoingRequest) error {
		return send(ctx, out, &reply{vectors: vectors})
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

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var doc struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
		Embeddings [][]float32
	}
	wire.Decode(raw, &doc)
	if r.some = len(doc.Data)+len(doc.Embeddings) > 0; !r.some && !in.FailIfTold(raw) {
		in.KeepAlien(raw)
	}
	copy(r.vectors, doc.Embeddings)
	for _, e := range doc.Data {
		if e.Index >= 0 && e.Index < len(r.vectors) {
			r.vectors[e.Index] = e.Embedding
		}
	}
	return d
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.IncomingReply, last wire.Frame) (d chains.Delta, err error) {
	if !r.some {
		err = in.Unfinished(last)
	}
	return d, err
}
