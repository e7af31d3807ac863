package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
)

// Transport sends one request of a library that builds requests itself, and gives the library a reply in which each
// line is one frame. The library reads the lines as raw data; [Transport.Exchange] decodes them.
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
	if err == nil {
		body, err = Encode(json.RawMessage(body), t.Extra)
	}
	if err != nil {
		return nil, err
	}
	to, err := http.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	to.Header = req.Header
	maps.Copy(to.Header, t.Header)
	if t.reply, err = t.Client.send(to, body, t.Out.Model); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: &frameLines{from: t.reply},
		Request: to,
	}, nil
}

// Exchange hands out the reply, whose lines recv returns, as [Client.Exchange] does.
func (t *Transport) Exchange(ctx context.Context, recv func() ([]byte, error), d Decoder) error {
	next := func() Frame {
		raw, err := recv()
		if err != nil || len(raw) == 0 {
			return Frame{Kind: EndEOF}
		}
		return Frame{Kind: Kind(raw[0] - firstKind), Data: raw[1:]}
	}
	return t.Client.handOut(ctx, &IncomingReply{client: t.Client, out: t.Out, from: t.reply}, next, d)
}

// firstKind is the letter in a line for the first kind of frame.
const firstKind = 'a'

// frameLines is a reply as server-sent events: a letter for the kind, and the data.
type frameLines struct {
	from *reply
	line []byte
	left []byte // unread part of line
	end  bool   // line is the last
}

// Read returns a line or a part of one.
func (l *frameLines) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		if l.end {
			return 0, io.EOF
		}
		f := l.from.next()
		l.end = f.Kind >= EndDone
		l.line = append(append(l.line[:0], "data: "...), firstKind+byte(f.Kind))
		from := len(l.line)
		l.line = append(append(l.line, f.Data...), '\n')
		for i, c := range l.line[from : len(l.line)-1] {
			if c == '\n' || c == '\r' { // blank space between two tokens of JSON
				l.line[from+i] = ' '
			}
		}
		l.left = l.line
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// Close ends the exchange.
func (l *frameLines) Close() error {
	l.from.close()
	return nil
}
