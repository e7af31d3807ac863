package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
)

// Transport sends one request of a library that builds requests itself, and keeps the reply for
// [Transport.Exchange]: the library gets an empty one.
type Transport struct {
	Client *Client
	Out    *OutgoingRequest
	Extra  map[string]any // fields that replace those of the library
	Header http.Header    // added to the request

	reply *reply
}

// Do sends the request. The error is a *chains.ProviderError or that of the context.
func (t *Transport) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	body = Encode(json.RawMessage(body), t.Extra)
	to, err := http.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	to.Header = req.Header
	maps.Copy(to.Header, t.Header)
	if t.reply, err = t.Client.send(to, body, t.Out.Model); err != nil {
		return nil, err
	}
	empty := io.NopCloser(strings.NewReader("{}"))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: empty, Request: to}, nil
}

// Exchange hands out the reply as [Client.Exchange] does.
func (t *Transport) Exchange(ctx context.Context, d Decoder) error {
	return t.Client.handOut(ctx, &IncomingReply{client: t.Client, out: t.Out, from: t.reply}, d)
}
