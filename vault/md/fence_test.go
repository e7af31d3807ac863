package md_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault/md"
	"ibid/vault/vaulttest"
)

// checkInside compares Fences with goldmark at the end of each line of a text.
func checkInside(t interface{ Fatalf(string, ...any) }, text string) {
	var s md.Fences
	seen := ""
	check := func(line string) {
		code, sure := vaulttest.InCode(seen + line)
		if got := s.Inside(line); sure && got != code {
			t.Fatalf("behind %q: code %v, want %v", seen+line, got, code)
		}
	}
	for line := range strings.Lines(text) {
		check("")
		if whole, ok := strings.CutSuffix(line, "\n"); ok {
			s.Line(whole)
		} else {
			check(line)
		}
		seen += line
	}
}

var fencePieces = []string{
	"```", "````", "~~~", "```go", "~~~ a b", "\n", "\n", "\n", "\n", "\n\n", "- ", "* ", "1. ", "2) ", "10. ", "-",
	"> ", ">", " ", "  ", "   ", "    ", "\t",
	"text", "# h", "#", "---", "===", "***", "<pre>", "</pre>", "<div>", "</div>", "<b>", "<b a='c'>", "<?", "?>", "é",
	"`", "\r\n", "0", "1",
}

func TestInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkInside(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(fencePieces), 0, 30).Draw(t, "pieces"), ""))
	})
}

func FuzzInside(f *testing.F) {
	f.Add("- ```go\n  a\n\nb\n> ```\n> x\ny")
	f.Fuzz(func(t *testing.T, text string) { checkInside(t, text) })
}

// TestDeepFences: what nests deeper than anybody writes costs no memory.
func TestDeepFences(t *testing.T) {
	deep := strings.Repeat(">", 1<<20)
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			var s md.Fences
			s.Line(deep)
			if !s.Nested() || s.Line(">>> ```") != true {
				t.Fatal("quotations are not nested, or have no fences")
			}
		}
	})
	if n := result.AllocedBytesPerOp(); n > 64<<10 {
		t.Errorf("%d bytes for a line", n)
	}
}
