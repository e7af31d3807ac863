package wire

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"

	"ibid/chains"
)

// Transport sends one request of a library that words requests itself, and gives the
// library a reply of which each line is one frame. The library reads the lines raw;
// [Transport.Exchange] knows what they hold.
type Transport struct {
	Client *Client
	Model  string                            // that was asked for
	Edit   func(body []byte) ([]byte, error) // changes the request; nil changes nothing
	Header http.Header                       // added to the request

	reply *reply
}

// Do sends the request. The error is a *chains.ProviderError or that of the context.
func (t *Transport) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err == nil && t.Edit != nil {
		body, err = t.Edit(body)
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
	if t.reply, err = t.Client.send(to, body, t.Model); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: &frameLines{from: t.reply}, Request: to}, nil
}

// Exchange hands out the reply, whose lines recv gives, as [Client.Exchange] does.
func (t *Transport) Exchange(
	ctx context.Context, recv func() ([]byte, error), d Decoder, yield func(chains.Delta) bool,
) (shown bool, err error) {
	next := func() Frame {
		raw, err := recv()
		if err != nil || len(raw) == 0 {
			return Frame{Kind: EndEOF}
		}
		return Frame{Kind: Kind(raw[0] - firstKind), Data: raw[1:]}
	}
	return t.Client.handOut(ctx, &Incoming{client: t.Client, from: t.reply, model: t.Model}, next, d, yield)
}

// firstKind stands for the first kind of frame in a line.
const firstKind = 'a'

// frameLines is a reply as server-sent events: the letter of a kind and the data.
type frameLines struct {
	from *reply
	line []byte
	left []byte // of line
	end  bool   // line was the last
}

// Read gives a line, or a part of one, and waits for no other.
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
