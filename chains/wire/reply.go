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

// commentTimeout limits an exchange with a server that sends comments and no part of a reply.
const commentTimeout = time.Hour

// tailTimeout limits the time for the rest of a reply after its finish reason: only the usage report is still missing.
const tailTimeout = 10 * time.Second

// drainTime limits how long reading bytes that have already arrived may take.
const drainTime = 20 * time.Millisecond

// A stream that is faster than a person reads is read in larger pieces, which costs less: after fastReads
// consecutive reads that each waited less than slowRead, reads are at least readEvery apart. After a read of
// largeRead bytes more may be waiting, so the next follows at once.
const (
	slowRead  = 72 * time.Millisecond
	readEvery = 160 * time.Millisecond
	fastReads = 8
	largeRead = 3 << 10
)

// Lines is the media type of a reply with one JSON document a line. A request that accepts it gets such a reply.
const Lines = "application/x-ndjson"

// reply is the reply to one request. It belongs to one goroutine, which must close it.
type reply struct {
	frames   frames
	client   *Client
	body     io.ReadCloser
	watch    watch
	n        int64  // number of the exchange, for the recorder
	recorded []byte // bytes so far, if they are recorded
	warning  string
	closed   bool

	// of the request; its end ends the exchange after the bytes that have arrived were read
	asked         context.Context
	stop          func() bool // disconnects asked from the exchange
	lastPiece     time.Time   // time of the last piece of text or reasoning
	fastReadCount int         // consecutive fast reads; very negative if every read is made at once
	lastRead      time.Time   // end of the last read, zero if more may be waiting
}

// send sends req and waits for the reply to begin. If the server refuses, the error is a *chains.ProviderError that
// names model; if the context of req ends, it is the context's error.
func (c *Client) send(req *http.Request, body []byte, model string) (*reply, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(req.Context()))
	r := &reply{
		client: c, n: c.opts.Recorder.next(),
		watch: watch{limits: c.Limits(model), ctx: ctx, cancel: cancel}, asked: req.Context(), lastPiece: time.Now(),
	}
	r.linkContexts()
	r.record("request", body)
	r.watch.startTimer(false)
	resp, err := c.do(req.WithContext(ctx))
	r.watch.stopTimer()
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
		r.watch.startTimer(false)
		defer r.watch.stopTimer()
		doc, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		r.record("error", doc)
		return nil, c.refusalError(resp, doc, model)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	r.body = resp.Body
	if resp.Uncompressed { // each read returns a block of the compressed stream, however many wait
		r.fastReadCount = math.MinInt
	}
	r.frames = frames{
		read: r.read, ending: r.ending, declared: kind == "text/event-stream",
		lines: req.Header.Get("Accept") == Lines,
	}
	return r, nil
}

// close ends the exchange. After a reply that ended properly it reads the remaining bytes, so that the connection
// can serve the next turn.
func (r *reply) close() {
	if r.closed {
		return
	}
	r.closed = true
	if r.frames.ended {
		r.watch.limits = Timeouts{FirstByte: 50 * time.Millisecond, Idle: 50 * time.Millisecond}
		r.watch.startTimer(true)
		_, _ = r.body.Read(make([]byte, 512))
	}
	r.watch.stopTimer()
	r.stop()
	r.watch.cancel(nil)
	r.record("reply", r.recorded)
	_ = r.body.Close() // a server that is already gone is no error
}

// read reads from the body, with the timeout of the watch.
func (r *reply) read(p []byte) (int, error) {
	r.waitForMore()
	began := time.Now()
	if began.Sub(r.lastPiece) > commentTimeout {
		r.watch.cancel(silence(commentTimeout))
	}
	r.watch.startTimer(r.frames.started)
	n, err := r.body.Read(p)
	r.watch.stopTimer()
	r.fastReadCount++
	if r.lastRead = time.Now(); r.lastRead.Sub(began) >= slowRead {
		r.fastReadCount = min(r.fastReadCount, 0)
	}
	if n >= largeRead {
		r.lastRead = time.Time{}
	}
	if r.client.opts.Recorder != nil && len(r.recorded) < maxEvent {
		r.recorded = append(r.recorded, p[:n]...)
	}
	return n, err
}

// waitForMore delays the next read of a fast stream, so that it returns more. If the request ends meanwhile, it
// lets the bytes be read that have arrived.
func (r *reply) waitForMore() {
	wait := readEvery - time.Since(r.lastRead)
	if r.fastReadCount < fastReads || wait <= 0 || !r.stop() {
		return
	}
	select {
	case <-r.asked.Done():
		r.fastReadCount = math.MinInt
		time.AfterFunc(drainTime, func() { r.watch.cancel(context.Cause(r.asked)) })
	case <-time.After(wait):
		r.linkContexts()
	}
}

// linkContexts cancels the exchange when the request ends.
func (r *reply) linkContexts() {
	r.stop = context.AfterFunc(r.asked, func() { r.watch.cancel(context.Cause(r.asked)) })
}

// ending returns the last frame for an error of the body.
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

// record passes a message to the recorder, without keys.
func (r *reply) record(kind string, doc []byte) {
	if r.client.opts.Recorder == nil {
		return
	}
	if err := r.client.opts.Recorder.Record(r.n, kind, r.client.redact.removeKnown(doc)); err != nil &&
		r.warning == "" {
		r.warning = r.client.Line("Not recorded: " + err.Error())
	}
}

// watch cancels an exchange when the server is silent for too long. Any byte counts, also of a comment, but not for
// longer than patience. Until the reply begins, the longer limit for the first byte applies, which local servers
// need while they load a model. The time between two reads does not count.
type watch struct {
	limits Timeouts
	ctx    context.Context // of the exchange; its cause says why it was cancelled
	cancel context.CancelCauseFunc
	timer  *time.Timer
	waits  atomic.Int64 // Duration of the running timer, which reads it when it fires
}

// startTimer starts the timer before a read.
func (w *watch) startTimer(started bool) {
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

// stopTimer stops the timer.
func (w *watch) stopTimer() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
