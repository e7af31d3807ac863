package tokens

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check fails the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path string) *Calibration {
	t.Helper()
	c, err := OpenCalibration(path)
	check(t, err)
	return c
}

func observe(t *testing.T, c *Calibration, provider, model string, counted, reported int) {
	t.Helper()
	check(t, c.Observe(provider, model, counted, reported))
}

func TestFactor(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "state", "calibration.json"))
	for model, want := range map[string]float64{
		"gpt-5.4": 1, "house-model": 1, "claude-opus-4-6": 1,
		"claude-opus-4-7": 1.3, "anthropic/claude-sonnet-5": 1.3,
	} {
		is(t, c.Factor("openrouter", model), want, model)
	}
	observe(t, c, "openrouter", "glm-5", 4000, 5000)
	if got := c.Factor("openrouter", "glm-5"); math.Abs(got-1.2) > 1e-9 {
		t.Errorf("one large prompt: %v, want 1.2", got)
	}
	for provider, model := range map[string]string{"groq": "glm-5", "openrouter": "glm-5-air"} {
		is(t, c.Factor(provider, model), 1, "learned from another", provider, model)
	}
	observe(t, c, "openrouter", "kimi", 300, 450)
	if got := c.Factor("openrouter", "kimi"); got < 1.1 || got > 1.3 {
		t.Errorf("one small prompt: %v, want some of the way to 1.5", got)
	}
	for counted, reported := range map[int]int{100: 300, 0: 50, -5: 10, 5000: 0, 6000: -1} {
		observe(t, c, "openrouter", "qwen", counted, reported)
	}
	is(t, c.Factor("openrouter", "qwen"), 1, "from prompts that say nothing")
}

// The file is there for the next program.
func TestCalibrationFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "calibration.json")
	one := open(t, path)
	observe(t, one, "groq", "oak", 3000, 3600)
	observe(t, one, "groq", "elm", 3000, 2400)
	next := open(t, path)
	if next.Factor("groq", "oak") != one.Factor("groq", "oak") ||
		next.Factor("groq", "elm") != one.Factor("groq", "elm") {
		t.Errorf("read %v and %v", next.Factor("groq", "oak"), next.Factor("groq", "elm"))
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("files beside it: %v, %v", left, err)
	}
}

// A file that goes bad under a running program is replaced, and what was learned
// goes on.
func TestCalibrationBreaksLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calibration.json")
	c := open(t, path)
	observe(t, c, "groq", "oak", 3000, 3600)
	was := c.Factor("groq", "oak")
	check(t, os.WriteFile(path, []byte("mine now"), 0o600))
	observe(t, c, "groq", "elm", 3000, 3600)
	is(t, open(t, path).Factor("groq", "oak"), was)
}

func TestCalibrationBroken(t *testing.T) {
	for _, content := range []string{
		"", "{", "null", "[]", "not JSON", `{"version":2}`, `{"version":1}{}`,
		`{"version":1,"factors":{"groq":{"oak":{"factor":1}}}}`,
		`{"version":1,"factors":{"groq":3}}`,
	} {
		path := filepath.Join(t.TempDir(), "calibration.json")
		check(t, os.WriteFile(path, []byte(content), 0o600))
		c := open(t, path)
		is(t, c.Factor("groq", "oak"), 1, content)
		observe(t, c, "groq", "oak", 3000, 3600)
		if got := open(t, path).Factor("groq", "oak"); got <= 1 {
			t.Errorf("%q: begun anew, but %v", content, got)
		}
	}
}

func TestCalibrationUnreadable(t *testing.T) {
	dir := t.TempDir() // a folder where the file should be
	c, err := OpenCalibration(dir)
	if err == nil || c == nil || !strings.Contains(err.Error(), dir) {
		t.Fatalf("OpenCalibration of a folder: %v, %v", c, err)
	}
	observe(t, c, "groq", "oak", 3000, 3600)
	if c.Factor("groq", "oak") <= 1 {
		t.Error("learned nothing in memory")
	}
	// The folder of the file is a file: learning works, saving says why not.
	file := filepath.Join(dir, "file")
	check(t, os.WriteFile(file, nil, 0o600))
	c = &Calibration{path: filepath.Join(file, "calibration.json")}
	if err := c.Observe("groq", "oak", 3000, 3600); err == nil || c.Factor("groq", "oak") <= 1 {
		t.Errorf("Observe without a place to save: %v, factor %v", err, c.Factor("groq", "oak"))
	}
	if kept, err := os.ReadFile(file); err != nil || len(kept) != 0 {
		t.Errorf("the file in the way: %q, %v", kept, err)
	}
}

func TestTruncated(t *testing.T) {
	tests := []struct {
		model             string
		counted, reported int
		want              bool
	}{
		{"llama3.2", 18_000, 4096, true},
		{"llama3.2", 7_000, 4096, true},
		{"llama3.2", 4_100, 4096, false},
		{"llama3.2", 18_000, 12_000, false}, // some tokenizers are that good at a language
		{"llama3.2", 1_500, 100, false},     // too small to tell
		{"llama3.2", 18_000, 0, false},      // nothing reported
		{"llama3.2", 18_000, 30_000, false},
		{"claude-opus-5", 18_000, 13_000, true}, // 1.3 was expected
	}
	for _, tt := range tests {
		is(t, new(Calibration).Truncated("ollama", tt.model, tt.counted, tt.reported), tt.want, tt)
	}
}

// A conversation that outgrows its window turn by turn is found out, although
// each turn teaches that the model makes fewer tokens of a text.
func TestTruncatedSlowly(t *testing.T) {
	var c Calibration
	const window = 4096
	found := 0
	for counted := 1000; counted < 20_000; counted += 300 {
		reported := min(counted, window)
		if c.Truncated("ollama", "llama3.2", counted, reported) {
			found = counted
			break
		}
		observe(t, &c, "ollama", "llama3.2", counted, reported)
	}
	if found == 0 || found > 9000 {
		t.Errorf("found out at %d tokens", found)
	}
	before := c.Factor("ollama", "llama3.2")
	observe(t, &c, "ollama", "llama3.2", 18_000, window)
	is(t, c.Factor("ollama", "llama3.2"), before, "after a prompt that was cut")
}

// A wrong lesson is no trap: tools that were not counted make small prompts look
// large, and the large ones that follow put that right.
func TestCalibrationRecovers(t *testing.T) {
	var c Calibration
	for range 10 {
		observe(t, &c, "groq", "oak", 400, 4000)
	}
	high := c.Factor("groq", "oak")
	for range 30 {
		if c.Truncated("groq", "oak", 8000, 8000) {
			t.Fatalf("a whole prompt counts as cut at a factor of %v", c.Factor("groq", "oak"))
		}
		observe(t, &c, "groq", "oak", 8000, 8000)
	}
	if got := c.Factor("groq", "oak"); high < 1.5 || got > 1.05 {
		t.Errorf("from %v to %v", high, got)
	}
}

// TestCalibrationProperties: after any observation the factor is within its bounds and between
// its old value and the observed one, and the file restores it.
func TestCalibrationProperties(t *testing.T) {
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		path := filepath.Join(dir, "run", "calibration.json")
		check(rt, os.RemoveAll(filepath.Dir(path)))
		c := open(t, path)
		model := rapid.SampledFrom([]string{"oak", "claude-opus-4.8", "gpt-4o"}).Draw(rt, "model")
		for range rapid.IntRange(1, 12).Draw(rt, "turns") {
			counted := rapid.IntRange(-10, 50_000).Draw(rt, "counted")
			reported := rapid.IntRange(-10, 100_000).Draw(rt, "reported")
			was := c.Factor("p", model)
			cut := c.Truncated("p", model, counted, reported)
			check(rt, c.Observe("p", model, counted, reported))
			now := c.Factor("p", model)
			if now < 0.5 || now > 3 {
				rt.Fatalf("factor %v", now)
			}
			if (cut || counted < 256 || reported <= 0) && now != was {
				rt.Fatalf("%d counted, %d reported, cut %v: learned %v after %v", counted, reported, cut, now, was)
			}
			if counted >= 256 && reported > 0 && !cut {
				seen := math.Max(0.5, math.Min(3, float64(reported)/float64(counted)))
				if now < math.Min(was, seen)-1e-9 || now > math.Max(was, seen)+1e-9 {
					rt.Fatalf("%v is not between %v and %v", now, was, seen)
				}
			}
		}
		again, err := OpenCalibration(path)
		if err != nil || again.Factor("p", model) != c.Factor("p", model) {
			rt.Fatalf("the file gives back %v (%v), not %v", again.Factor("p", model), err, c.Factor("p", model))
		}
	})
}

func TestCalibrationParallel(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "calibration.json"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if err := c.Observe("groq", "oak", 3000, 3300); err != nil {
					t.Error(err)
				}
				c.Factor("groq", "oak")
			}
		})
	}
	wg.Wait()
	if got := c.Factor("groq", "oak"); math.Abs(got-1.1) > 0.01 {
		t.Errorf("factor %v", got)
	}
}

// Whatever stands in the file, the factor is in bounds, and what is learned next
// is read again.
func FuzzOpenCalibration(f *testing.F) {
	f.Add([]byte(`{"version":1,"factors":{"groq":{"oak":{"factor":1.2,"weight":2}}}}`))
	f.Add([]byte("{"))
	f.Add([]byte(`{"version":1,"factors":{"":{"":{"factor":1e999,"weight":-1}}}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "calibration.json")
		check(t, os.WriteFile(path, content, 0o600))
		c := open(t, path)
		if got := c.Factor("groq", "oak"); got < 0.5 || got > 3 {
			t.Errorf("factor %v", got)
		}
		observe(t, c, "groq", "oak", 3000, 3600)
		is(t, open(t, path).Factor("groq", "oak"), c.Factor("groq", "oak"))
	})
}
