package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/wire"
)

// timedBody is the body of a reply with frames at regular times.
type timedBody struct {
	every  time.Duration
	begin  time.Time
	frames []string
	rest   string
	reads  int
	wait   time.Duration // before the first
	packed bool          // the transport unpacks it, and gives a frame a read

	ctx context.Context // of the exchange
}

// Read waits for the next frame, and returns the frames up to now.
func (b *timedBody) Read(p []byte) (int, error) {
	b.reads++
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.rest == "" && len(b.frames) > 0 {
		select {
		case <-time.After(time.Until(b.begin)):
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
		for len(b.frames) > 0 && !time.Now().Before(b.begin) && (!b.packed || b.rest == "") {
			b.rest, b.frames, b.begin = b.rest+"data: "+b.frames[0]+"\n\n", b.frames[1:], b.begin.Add(b.every)
		}
	}
	n := copy(p, b.rest)
	if b.rest = b.rest[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (b *timedBody) Close() error { return nil }

func (b *timedBody) RoundTrip(r *http.Request) (*http.Response, error) {
	b.ctx, b.begin = r.Context(), time.Now().Add(b.wait)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: b, Uncompressed: b.packed,
	}, nil
}

// words is a protocol whose frames are deltas.
type words struct{}

func (words) Chunk(_ *wire.IncomingReply, raw []byte) (d chains.Delta) {
	_ = json.Unmarshal(raw, &d) // what the tests send is well formed
	return d
}

func (words) End(*wire.IncomingReply, wire.Frame) (chains.Delta, error) {
	return chains.Delta{Finish: chains.FinishStop}, nil
}

// deltas returns the deltas of a reply.
func (b *timedBody) deltas(t *testing.T) []chains.Delta {
	t.Helper()
	all, err := b.exchange(t, t.Context())
	check(t, err)
	return all
}

// exchange returns the deltas of a reply until ctx ends, and the error at the end.
func (b *timedBody) exchange(t *testing.T, ctx context.Context) (all []chains.Delta, err error) {
	t.Helper()
	c, err := wire.New(wire.Options{BaseURL: "http://127.0.0.1/v1", Transport: b})
	check(t, err)
	out := outgoing()
	out.Yield = func(d chains.Delta) bool { all = append(all, d); return true }
	return all, c.Exchange(ctx, "http://127.0.0.1/v1/words", nil, nil, "", out, words{})
}

// TestStoppedFastStream: when a request ends, the deltas of a fast stream up to then are
// yielded without waiting, also those that were held to be joined.
func TestStoppedFastStream(t *testing.T) {
	for _, after := range []time.Duration{15 * time.Millisecond, 205 * time.Millisecond, 999 * time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, want := &timedBody{every: 10 * time.Millisecond}, ""
				for i := range 1000 {
					b.frames = append(b.frames, fmt.Sprintf(`{"Text":"w%d "}`, i))
				}
				for i := range int(after/b.every) + 1 {
					want += fmt.Sprintf("w%d ", i)
				}
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				begin := time.Now()
				all, err := b.exchange(t, ctx)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("it ended with %v", err)
				}
				got := ""
				for _, d := range all {
					got += d.Text
				}
				if got != want {
					t.Errorf("it brought %q, want %q", got, want)
				}
				if over := time.Since(begin) - after; over > 20*time.Millisecond {
					t.Errorf("it ended %v late", over)
				}
			})
		})
	}
}

// TestPiecesAtOnce: pieces that were read at once are joined to one delta, in their order.
func TestPiecesAtOnce(t *testing.T) {
	b := &timedBody{frames: []string{
		`{"Reasoning":"I "}`, `{"Reasoning":"add."}`, `{"Text":"Fo"}`, `{}`, `{"Text":"ur"}`,
		`{"Reasoning":"Sure?"}`, `{"Text":"."}`, `{"Notice":"slow"}`, `{"Text":" "}`, `{"Text":"So."}`, "[DONE]",
	}}
	want := []chains.Delta{
		{Text: "Four", Reasoning: "I add."},
		{Text: ".", Reasoning: "Sure?"},
		{Notice: "slow"},
		{Text: " So."},
		{Finish: chains.FinishStop},
	}
	if d := cmp.Diff(want, b.deltas(t)); d != "" {
		t.Error(d)
	}
}

// TestFastStream: a fast stream is soon read in larger pieces, and a slow one piece by piece.
// The text is complete, and no delay is noticeable.
func TestFastStream(t *testing.T) {
	for _, row := range []struct {
		every  time.Duration
		most   int // reads
		packed bool
	}{
		{250 * time.Microsecond, 100, false},
		{10 * time.Millisecond, 200, false},
		{80 * time.Millisecond, 1010, false},
		{10 * time.Millisecond, 1010, true},
	} {
		t.Run(fmt.Sprint(row.every, row.packed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, want := &timedBody{every: row.every, packed: row.packed}, ""
				b.wait = time.Second // for the first frame
				for i := range 1000 {
					b.frames, want = append(b.frames, fmt.Sprintf(`{"Text":"w%d "}`, i)), want+fmt.Sprintf("w%d ", i)
				}
				b.frames = append(b.frames, "[DONE]")
				begin := time.Now()
				var got strings.Builder
				all := b.deltas(t)
				for _, d := range all {
					got.WriteString(d.Text)
				}
				if took := time.Since(begin) - b.wait - 1000*row.every; took > 100*time.Millisecond || got.String() != want {
					t.Errorf("it took %v more than the server, and %d bytes of %d came", took, got.Len(), len(want))
				}
				if b.reads > row.most || row.every > 72*time.Millisecond && len(all) < 1000 {
					t.Errorf("%d reads for %d pieces, want at most %d", b.reads, len(all), row.most)
				}
			})
		})
	}
}
