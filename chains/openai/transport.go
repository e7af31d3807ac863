package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

// maxErrorBody is how much of an error body is read, in bytes.
const maxErrorBody = 64 << 10

// tail is how long the rest of a reply may take once its finish reason is
// there: only the usage report is still to come.
const tail = 10 * time.Second

// call is one exchange, shared by the layer above go-openai and the one below.
type call struct {
	wire  *wireRequest
	n     int64 // the exchange's number, for the recorder
	model string
	watch *watchdog
	warn  []string // what went wrong beside the reply
}

type callKey struct{}

// transport is the layer below go-openai: it finishes requests, and turns
// replies into frames. Requests without a call in their context only get the
// headers.
type transport struct {
	base   http.RoundTripper
	client *Client
}

// RoundTrip sends req. An error status becomes a *chains.ProviderError.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	x, _ := req.Context().Value(callKey{}).(*call)
	if x == nil {
		req = req.Clone(req.Context())
		t.headers(req, nil)
		return t.base.RoundTrip(req)
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	req = req.Clone(ctx)
	if err := t.prepare(req, x); err != nil {
		cancel(err)
		return nil, err
	}
	x.watch = startWatch(t.client.limits, cancel)
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		x.watch.stop()
		if why := context.Cause(ctx); why != nil {
			err = why
		}
		cancel(err)
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		resp.Body = &body{ReadCloser: resp.Body, close: func() { x.watch.stop(); cancel(nil) }}
		return resp, nil
	}
	if resp.StatusCode >= 400 {
		defer func() { x.watch.stop(); cancel(nil) }()
		return nil, t.refusal(resp, x)
	}
	resp.Body = t.frames(ctx, cancel, resp, x)
	return resp, nil
}

// body is a reply's body with something to do when it is closed.
type body struct {
	io.ReadCloser
	close func()
}

func (b *body) Close() error {
	defer b.close()
	return b.ReadCloser.Close()
}

// prepare applies the edits to the body and adds the headers.
func (t *transport) prepare(req *http.Request, x *call) error {
	doc, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return fmt.Errorf("read request body: %w", err)
	}
	if doc, err = applyEdits(doc, x.wire.edits); err != nil {
		return err
	}
	req.ContentLength = int64(len(doc))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(doc)), nil }
	req.Body, _ = req.GetBody()
	t.headers(req, x.wire.header)
	t.record(x, "request", doc)
	return nil
}

// headers adds what the options and the request ask for.
func (t *transport) headers(req *http.Request, own http.Header) {
	for _, h := range []http.Header{own, t.client.opts.Headers} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
}

// refusal reads the body of an error status.
func (t *transport) refusal(resp *http.Response, x *call) error {
	defer resp.Body.Close()
	doc, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	t.record(x, "error", doc)
	return t.client.fromStatus(readFailure(resp.StatusCode, resp.Header, doc), x.model)
}

// record hands a message to the recorder, without keys.
func (t *transport) record(x *call, kind string, doc []byte) {
	r := t.client.opts.Recorder
	if r == nil {
		return
	}
	if err := r.Record(x.n, kind, t.client.redact.known(bytes.Clone(doc))); err != nil {
		x.warn = append(x.warn, "Not recorded: "+err.Error())
	}
}

// frames is the body that go-openai reads in place of the server's.
func (t *transport) frames(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, x *call) io.ReadCloser {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	f := &frameReader{
		ctx: ctx, cancel: cancel, from: resp.Body, watch: x.watch,
		norm: normaliser{declaredEvents: kind == "text/event-stream"},
		buf:  make([]byte, 16<<10),
	}
	if t.client.opts.Recorder != nil {
		f.closed = func(tape []byte) { t.record(x, "reply", tape) }
	}
	return f
}

// frameReader reads the server's bytes and gives out frames.
type frameReader struct {
	ctx    context.Context // of this exchange: says why it was cancelled
	cancel context.CancelCauseFunc
	from   io.ReadCloser
	watch  *watchdog
	norm   normaliser
	buf    []byte
	taken  int // bytes of norm.out that were given out
	tape   []byte
	closed func(tape []byte) // nil: nothing is recorded
}

// Read gives out frames as soon as there is one.
func (f *frameReader) Read(p []byte) (int, error) {
	for f.taken == len(f.norm.out) {
		f.norm.out, f.taken = f.norm.out[:0], 0
		if f.norm.ended {
			return 0, io.EOF
		}
		n, err := f.from.Read(f.buf)
		if n > 0 {
			if f.closed != nil && len(f.tape) < maxEvent {
				f.tape = append(f.tape, f.buf[:n]...)
			}
			f.norm.feed(f.buf[:n])
			f.watch.touch(f.norm.started)
		}
		if err != nil {
			f.norm.finish(f.howEnded(err))
		}
	}
	n := copy(p, f.norm.out[f.taken:])
	f.taken += n
	return n, nil
}

// howEnded words the end of the server's bytes.
func (f *frameReader) howEnded(err error) (how, why string) {
	switch silence := context.Cause(f.ctx); {
	case errors.Is(err, io.EOF):
		return endEOF, ""
	case errors.Is(silence, errIdle), errors.Is(silence, errFirstByte):
		return endTimeout, seconds(f.watch.waits)
	}
	return endBroken, shortCause(err)
}

// Close ends the exchange. After a reply that ended properly it reads the few
// bytes that are left, so that the connection can serve the next turn.
func (f *frameReader) Close() error {
	if f.norm.ended {
		f.watch.limit(50 * time.Millisecond)
		_, _ = f.from.Read(f.buf)
	}
	f.watch.stop()
	f.cancel(nil)
	if f.closed != nil {
		f.closed(f.tape)
		f.closed = nil
	}
	return f.from.Close()
}

// watchdog cancels an exchange when the server is silent for too long. Any
// byte counts as a sign of life, comments included; but until the reply itself
// begins, the longer limit for first bytes holds, which local servers need
// while they load a model.
type watchdog struct {
	limits Timeouts
	cancel context.CancelCauseFunc
	timer  *time.Timer
	waits  time.Duration // what the timer is set to
	ending bool          // only the end of the reply is still to come
}

// startWatch begins to wait for the first byte.
func startWatch(limits Timeouts, cancel context.CancelCauseFunc) *watchdog {
	w := &watchdog{limits: limits, cancel: cancel}
	w.await(limits.FirstByte, errFirstByte)
	return w
}

// await sets the timer; d <= 0 means no limit.
func (w *watchdog) await(d time.Duration, why error) {
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.waits = d; d > 0 {
		w.timer = time.AfterFunc(d, func() { w.cancel(why) })
	}
}

// touch notes that bytes came.
func (w *watchdog) touch(started bool) {
	switch {
	case w.ending:
	case started:
		w.await(w.limits.Idle, errIdle)
	default:
		w.await(w.limits.FirstByte, errFirstByte)
	}
}

// limit gives the rest of the exchange this long.
func (w *watchdog) limit(d time.Duration) {
	w.ending = true
	w.await(d, errIdle)
}

// stop ends the watch.
func (w *watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
