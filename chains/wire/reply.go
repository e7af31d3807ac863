package wire

import (
	"context"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"sync/atomic"
	"time"
)

// patience ends an exchange with a server that gives signs of life and nothing of a reply.
const patience = time.Hour

// tail limits the time that the rest of a reply may take once its finish reason is
// there: only the usage report is still to come.
const tail = 10 * time.Second

// drainTime limits how long reading what the server has sent already may take.
const drainTime = 20 * time.Millisecond

// A stream that comes faster than a person can follow is read in larger pieces, which
// costs less: once fastReads reads in a row have each waited less than readEvery, what
// is not much is read only that often. A read of muchRead bytes may have left some.
const (
	readEvery = 72 * time.Millisecond
	fastReads = 8
	muchRead  = 2 << 10
)

// Lines is the type of a reply that is one JSON document a line. A request that
// accepts it is answered so.
const Lines = "application/x-ndjson"

// reply is the answer of a server to one request. It belongs to one goroutine
// and must be closed.
type reply struct {
	frames  frames
	client  *Client
	body    io.ReadCloser
	watch   watch
	n       int64  // the exchange's number, for the recorder
	tape    []byte // the bytes so far, if they are recorded
	warning string
	closed  bool

	asked context.Context // of the request: its end ends the exchange, but what has come is read first
	stop  func() bool     // ends that: the exchange outlives the request
	piece time.Time       // when the last one of text or thinking came
	fast  int             // reads in a row that waited little, far below 0 where each is made at once
	last  time.Time       // when the last read ended, zero if it left some
}

// send sends req and waits for the reply to begin. A server that refuses is a
// *chains.ProviderError, in which model names the model that was asked for;
// when the context of req ends, the error is the context's.
func (c *Client) send(req *http.Request, body []byte, model string) (*reply, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(req.Context()))
	r := &reply{
		client: c, n: c.opts.Recorder.next(),
		watch: watch{limits: c.Limits(model), ctx: ctx, cancel: cancel}, asked: req.Context(), piece: time.Now(),
	}
	r.tie()
	r.record("request", body)
	r.watch.await(false)
	resp, err := c.do(req.WithContext(ctx))
	r.watch.rest()
	if err != nil {
		if why := context.Cause(ctx); why != nil {
			err = why
		}
		r.stop()
		cancel(err)
		return nil, c.Unreachable(req.Context(), err)
	}
	if resp.StatusCode >= 300 {
		defer cancel(nil)
		defer r.stop()
		defer resp.Body.Close()
		r.watch.await(false)
		defer r.watch.rest()
		doc, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		r.record("error", doc)
		return nil, c.refusal(resp, doc, model)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	r.body = resp.Body
	if resp.Uncompressed { // each read gives a block, however many wait
		r.fast = math.MinInt
	}
	r.frames = frames{
		read: r.read, ending: r.ending, declared: kind == "text/event-stream",
		lines: req.Header.Get("Accept") == Lines,
	}
	return r, nil
}

// next waits for the next frame.
func (r *reply) next() Frame { return r.frames.next() }

// finishing says that the protocol's end was seen: what is left must come soon.
func (r *reply) finishing() {
	r.watch.limits = Timeouts{FirstByte: tail, Idle: tail}
	r.piece = time.Now().Add(tail - patience)
	r.fast = math.MinInt
}

// trouble is a fault beside the reply, told once.
func (r *reply) trouble() string {
	said := r.warning
	r.warning = ""
	return said
}

// close ends the exchange. After a reply that ended properly it reads the few
// bytes that are left, so that the connection can serve the next turn.
func (r *reply) close() {
	if r.closed {
		return
	}
	r.closed = true
	if r.frames.ended {
		r.watch.limits = Timeouts{FirstByte: 50 * time.Millisecond, Idle: 50 * time.Millisecond}
		r.watch.await(true)
		_, _ = r.body.Read(make([]byte, 512))
	}
	r.watch.rest()
	r.stop()
	r.watch.cancel(nil)
	r.record("reply", r.tape)
	_ = r.body.Close() // a server that is gone already changes nothing
}

// read reads the body, while the watch waits.
func (r *reply) read(p []byte) (int, error) {
	r.gather()
	began := time.Now()
	if began.Sub(r.piece) > patience {
		r.watch.cancel(silence(patience))
	}
	r.watch.await(r.frames.started)
	n, err := r.body.Read(p)
	r.watch.rest()
	r.fast++
	if r.last = time.Now(); r.last.Sub(began) >= readEvery {
		r.fast = min(r.fast, 0)
	}
	if n >= muchRead {
		r.last = time.Time{}
	}
	if r.client.opts.Recorder != nil && len(r.tape) < maxEvent {
		r.tape = append(r.tape, p[:n]...)
	}
	return n, err
}

// gather waits until there may be more to read of a stream that is fast. Where the
// request ends meanwhile, what has come is still read.
func (r *reply) gather() {
	wait := readEvery - time.Since(r.last)
	if r.fast < fastReads || wait <= 0 || !r.stop() {
		return
	}
	select {
	case <-r.asked.Done():
		r.fast = math.MinInt
		time.AfterFunc(drainTime, func() { r.watch.cancel(context.Cause(r.asked)) })
	case <-time.After(wait):
		r.tie()
	}
}

// tie makes the end of the request that of the exchange.
func (r *reply) tie() {
	r.stop = context.AfterFunc(r.asked, func() { r.watch.cancel(context.Cause(r.asked)) })
}

// ending words the end of the server's bytes.
func (r *reply) ending(err error) Frame {
	var quiet silence
	switch {
	case errors.Is(err, io.EOF):
		return Frame{Kind: EndEOF}
	case errors.As(context.Cause(r.watch.ctx), &quiet):
		return Frame{EndTimeout, []byte(quiet.Error())}
	}
	return Frame{EndBroken, []byte(shortCause(err))}
}

// record hands a message to the recorder, without keys.
func (r *reply) record(kind string, doc []byte) {
	if r.client.opts.Recorder == nil {
		return
	}
	if err := r.client.opts.Recorder.Record(r.n, kind, r.client.redact.known(doc)); err != nil && r.warning == "" {
		r.warning = r.client.Line("Not recorded: " + err.Error())
	}
}

// watch cancels an exchange when the server is silent for too long. Any byte
// counts as a sign of life, comments included, if not for ever; but until the reply itself
// begins, the longer limit for first bytes holds, which local servers need
// while they load a model. The time in which nobody asks for more counts for
// nothing.
type watch struct {
	limits Timeouts
	ctx    context.Context // of the exchange: says why it was cancelled
	cancel context.CancelCauseFunc
	timer  *time.Timer
	waits  atomic.Int64 // how long the timer waits, a Duration; the timer reads it when it ends
}

// await begins to wait for bytes.
func (w *watch) await(started bool) {
	waits := w.limits.FirstByte
	if started {
		waits = w.limits.Idle
	}
	w.waits.Store(int64(waits))
	switch {
	case waits <= 0: // no limit
	case w.timer == nil:
		w.timer = time.AfterFunc(waits, func() { w.cancel(silence(w.waits.Load())) })
	default:
		w.timer.Reset(waits)
	}
}

// rest ends the wait.
func (w *watch) rest() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
