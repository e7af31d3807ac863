package wire

import (
	"context"
	"io"
	"net/http"

	"ibid/chains"
)

// maxAnswer limits the bytes of an answer that is one document, such as the vectors of some texts.
const maxAnswer = 32 << 20

// Documents returns a client for a library that builds its own requests to a model. Do returns an answer that is one
// document; its error is a *chains.ProviderError or the error of the context.
func (c *Client) Documents(model string) interface {
	Do(req *http.Request) (*http.Response, error)
} {
	return documents{c, model}
}

type documents struct {
	client *Client
	model  string
}

// Do sends the request.
func (d documents) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	to, err := d.client.Request(req.Context(), req.Method, req.URL.String(), req.Header, body, "application/json")
	if err != nil {
		return nil, err
	}
	from, err := d.client.send(to, body, d.model)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: &document{from, maxAnswer}, Request: to}, nil
}

// document is an answer that is one document.
type document struct {
	from *reply
	left int // bytes that may still be read
}

// Read implements io.Reader.
func (d *document) Read(p []byte) (int, error) {
	if d.left <= 0 {
		return 0, io.EOF
	}
	n, err := d.from.read(p)
	d.left -= n
	return n, err
}

// Close implements io.Closer.
func (d *document) Close() error {
	d.from.close()
	return nil
}

// Try makes an exchange that yields no deltas, and repeats it as Stream does while it may succeed later. If the answer
// cannot be read, the error is a *chains.ProviderError too.
func (c *Client) Try(ctx context.Context, model string, exchange func(context.Context) error) (err error) {
	attempt := func(ctx context.Context, _ *OutgoingRequest) error {
		err := exchange(ctx)
		if err != nil && ctx.Err() == nil && ErrorOf(err).Kind == "" {
			bad := c.NewError(chains.ErrBadReply, "{name} answers with something that is not what was asked for.")
			bad.Err = err
			return bad
		}
		return err
	}
	for _, err = range c.Stream(ctx, chains.Request{Model: model}, attempt) {
		continue // the last error is the result
	}
	return err
}
