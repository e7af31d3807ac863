package wire

import (
	"strings"
	"testing"
)

// FuzzThink: how text is cut changes nothing, and nothing but tags and blank
// space around blocks is lost.
func FuzzThink(f *testing.F) {
	for _, seed := range []string{"<think>a</think>b", " \n<thought>a</thought>\n\n<thinking>b</thinking>c <think>d", "<think>never closed </thin", "<thin", "a<think>b</think>", "<think></think>", "<think>a</thinking>b</think>c"} {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		said, thought := splitThink(text, max(1, len(text)))
		s2, t2 := splitThink(text, int(cut%16)+1)
		if said != s2 || thought != t2 {
			t.Fatalf("cut: %q %q, whole: %q %q", s2, t2, said, thought)
		}
		if !strings.HasSuffix(text, said) {
			t.Fatalf("%q is not the end of %q", said, text)
		}
	})
}

func splitThink(text string, size int) (said, thought string) {
	var s ThinkSplitter
	for len(text) > 0 {
		k := min(size, len(text))
		a, b := s.Add(text[:k])
		said, thought, text = said+a, thought+b, text[k:]
	}
	a, b := s.Close()
	return said + a, thought + b
}

func TestThinkSplitter(t *testing.T) {
	rows := []struct{ text, said, thought string }{
		{"plain", "plain", ""},
		{"<think>plan</think>\n\nAnswer", "Answer", "plan"},
		{"\n<thought>a</thought><thinking>b</thinking>C", "C", "ab"},
		{"Use `<think>` tags.\n<think>not here</think>", "Use `<think>` tags.\n<think>not here</think>", ""},
		{"<think>cut off", "", "cut off"},
		{"<think>a </thi b</think>c", "c", "a </thi b"},
		{"<thinker>x</thinker>", "<thinker>x</thinker>", ""},
		{"  <thi", "  <thi", ""},
		{"   ", "   ", ""},
	}
	for _, row := range rows {
		for size := 1; size <= len(row.text); size++ {
			if said, thought := splitThink(row.text, size); said != row.said || thought != row.thought {
				t.Errorf("%q cut at %d: said %q, thought %q", row.text, size, said, thought)
			}
		}
	}
}
