package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cutReader yields body in pieces of size bytes, and then err.
type cutReader struct {
	body []byte
	size int
	err  error
}

func (r *cutReader) Read(p []byte) (int, error) {
	if len(r.body) == 0 {
		return 0, r.err
	}
	n := copy(p, r.body[:min(r.size, len(r.body))])
	r.body = r.body[n:]
	return n, nil
}

// readFrames returns the frames of body, read in pieces of size bytes, one per line. kind is
// the known kind of the body: "", "events" or "lines".
func readFrames(body []byte, size int, kind string, err error) []string {
	f := frames{
		read: (&cutReader{body, size, err}).Read, declared: kind == "events", lines: kind == "lines",
		ending: func(err error) Frame {
			if errors.Is(err, io.EOF) {
				return Frame{Kind: EndEOF}
			}
			return Frame{EndBroken, []byte(err.Error())}
		},
	}
	var all []string
	for {
		next := f.next()
		all = append(all, fmt.Sprintf("%d %s", next.Kind, next.Data))
		if next.Kind >= EndDone {
			return all
		}
	}
}

// FuzzFrames: any bytes have exactly one end, and the frames do not depend on the pieces.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"\xef\xbb\xbfdata: {}\r\rdata: {}\r\n\r\n: hm\n\nevent: error\ndata: {\"message\":\"x\"}\n\n",
		"data: {\ndata: }\n\ndata: {}\ndata: {}\n\n", "{\"error\":\n\"x\"}", "[{\"error\":{}}]", "<html>",
		"error: no", "\n\n \xef", "dat", "data", ":",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]",
		"data: x\n{\"error\":\"y\"}\nid: 4\n", strings.Repeat(" ", 5000) + "{}", strings.Repeat("no ", 3000),
		"{\"a\":1}\n{\"b\":2}\r\n\n{\"error\":\"no\"}\n{\"c\":", "{}\nno\n{}", "{\n\"a\": 1\n}\n",
		"data: {\"a\":1}\ndata: {\"b\":2}\nerror: {\"c\":3}\n: hm\ndata: {\"d\":4}\nerror: e",
		strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n\n", 40),
		strings.Repeat(" ", 5000) + strings.Repeat("\v", 60) + "no",
	} {
		f.Add([]byte(seed), uint16(3), true)
		f.Add([]byte(seed), uint16(1), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, cut uint16, declared bool) {
		kinds := []string{"", "lines"}
		if declared {
			kinds = []string{"events"}
		}
		for _, kind := range kinds {
			for _, end := range []error{io.EOF, errors.New("torn")} {
				whole := readFrames(bytes.Clone(body), max(1, len(body)), kind, end)
				if d := cmp.Diff(whole, readFrames(bytes.Clone(body), int(cut%64)+1, kind, end)); d != "" {
					t.Fatalf("%s cut at %d: %s", kind, cut%64+1, d)
				}
			}
		}
	})
}

// TestFrames reads bodies with all elements of a stream.
func TestFrames(t *testing.T) {
	rows := []struct {
		kind, body string
		want       []string
	}{
		{"", "data: {\"a\":1}\n\n: hm\n\ndata: [DONE]\n\ndata: {}\n\n", []string{`0 {"a":1}`, "2 hm", "4 "}},
		{"", "data: {\"a\":1}\ndata: {\"b\":2}\nerror: no\n", []string{`0 {"a":1}`, `0 {"b":2}`, "1 no", "5 "}},
		{"", "data: {\ndata: }\n\nevent: error\ndata: x\n\n", []string{"0 { }", "1 x", "5 "}},
		{"", "data: {}\n{\"error\":1}\ndata: {}", []string{"0 {}", `1 {"error":1}`, "0 {}", "5 "}},
		{"", " {\"a\": 1}\n", []string{"0 {\"a\": 1}\n", "4 "}},
		{"", "<html>", []string{"3 <html>", "5 "}},
		{"", "", []string{"5 "}},
		{"", "{\"a\":1}\n{\"b\":2}\n", []string{"3 {\"a\":1}\n{\"b\":2}\n", "5 "}},
		{"lines", "{\"a\":1}\n\r\n {\"b\":2}\r\n{\"c\":3}", []string{`0 {"a":1}`, `0 {"b":2}`, `0 {"c":3}`, "5 "}},
		{"lines", "{\"a\":1}\n{\"b\":", []string{`0 {"a":1}`, "5 "}},
		{"lines", "{\"a\":1}\nno\n{\"b\":2}\n", []string{`0 {"a":1}`, "3 no", `0 {"b":2}`, "5 "}},
		{"lines", "<html>", []string{"3 <html>", "5 "}},
		{"lines", "data: {}\n\ndata: [DONE]\n\n", []string{"0 {}", "4 "}},
	}
	for _, row := range rows {
		for size := 1; size <= len(row.body)+1; size++ {
			if d := cmp.Diff(row.want, readFrames([]byte(row.body), size, row.kind, io.EOF)); d != "" {
				t.Errorf("%q cut at %d: %s", row.body, size, d)
			}
		}
	}
}

// TestLongLines: a line up to the limit is one frame, and a longer one ends the reply.
func TestLongLines(t *testing.T) {
	for _, size := range []int{maxEvent - 6, maxEvent + 1} {
		got := readFrames([]byte("data: "+strings.Repeat("x", size)+"\n\ndata: [DONE]\n\n"), 1<<20, "events", io.EOF)
		if whole := size < maxEvent; whole != (len(got) == 2 && len(got[0]) == size+2 && got[1] == "4 ") ||
			!whole && got[0] != "8 " {
			t.Errorf("%d bytes: %d frames, the last is %.20q", size, len(got), got[len(got)-1])
		}
	}
}
