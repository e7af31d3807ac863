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
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(body))
	maps.Copy(req.Header, t.Header)
	if t.reply, err = t.Client.send(req, body, t.Out.Model); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// Exchange hands out the reply as [Client.Exchange] does.
func (t *Transport) Exchange(ctx context.Context, d Decoder) error {
	return t.Client.handOut(ctx, &IncomingReply{client: t.Client, out: t.Out, from: t.reply}, d)
}
