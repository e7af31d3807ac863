package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
	"ibid/vault/vectors"
)

// finderOf returns a finder whose server answers as a function does with the vectors that are right.
func (w *world) finderOf(answer func(texts []string, right [][]float32) ([][]float32, error)) *vectors.Finder {
	f := w.finder("m")
	f.Embed = func(ctx context.Context, model string, texts []string) ([][]float32, error) {
		right, err := w.server.embed(ctx, model, texts)
		if err != nil {
			return nil, err
		}
		return answer(texts, right)
	}
	return f
}

func has(texts []string, part string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, part) })
}

// TestOddAnswer: whatever a server answers about one text, it costs that text alone, which is counted.
func TestOddAnswer(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := func(v []float32, of func(i int) float32) []float32 {
		odd := slices.Clone(v)
		for i := range odd {
			odd[i] = of(i)
		}
		return odd
	}
	one := func(change func(v []float32) []float32) func([]string, [][]float32) ([][]float32, error) {
		return func(texts []string, right [][]float32) ([][]float32, error) {
			for i, text := range texts {
				if strings.Contains(text, "bones") {
					right[i] = change(right[i])
				}
			}
			return right, nil
		}
	}
	all := func(answer func(right [][]float32) ([][]float32, error)) func([]string, [][]float32) ([][]float32, error) {
		return func(texts []string, right [][]float32) ([][]float32, error) {
			if has(texts, "bones") {
				return answer(right)
			}
			return right, nil
		}
	}
	for name, answer := range map[string]func([]string, [][]float32) ([][]float32, error){
		"refused": all(func([][]float32) ([][]float32, error) { return nil, fmt.Errorf("too large: %w", vectors.ErrText) }),
		"refused, with a list": all(func(right [][]float32) ([][]float32, error) {
			return make([][]float32, len(right)), vectors.ErrText
		}),
		"empty":          all(func([][]float32) ([][]float32, error) { return nil, nil }),
		"one too few":    all(func(right [][]float32) ([][]float32, error) { return right[1:], nil }),
		"one too many":   all(func(right [][]float32) ([][]float32, error) { return append(right, right[0]), nil }),
		"none of it":     one(func([]float32) []float32 { return nil }),
		"without number": one(func([]float32) []float32 { return []float32{} }),
		"shorter":        one(func(v []float32) []float32 { return v[:32] }),
		"longer":         one(func(v []float32) []float32 { return append(v, v...) }),
		"zeros":          one(func(v []float32) []float32 { return make([]float32, len(v)) }),
		"NaN":            one(func(v []float32) []float32 { return bad(v, func(int) float32 { return nan }) }),
		"one NaN":        one(func(v []float32) []float32 { return append(v[:63:63], nan) }),
		"infinite":       one(func(v []float32) []float32 { return append(v[:63:63], inf) }),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, notes)
			f := w.finderOf(answer)
			fill(t, f)
			if n := w.rows(t, "Kitchen.md"); n != 0 || w.rows(t, "") != 4 {
				t.Errorf("%d vectors of the odd text, %d in all", n, w.rows(t, ""))
			}
			s, err := f.State(t.Context())
			if err != nil || s.Refused != 1 || s.Done != 4 {
				t.Errorf("%+v, %v", s, err)
			}
			wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
			searcher := index.Searcher{Source: w.vault, Index: w.index, Like: f.Like}
			hits, err := searcher.Search(t.Context(), index.Query{Text: "bones"})
			if err != nil || len(hits) != 1 || hits[0].Path != "Kitchen.md" {
				t.Errorf("words: %+v, %v", hits, err)
			}
			if w.server.asked > 25 {
				t.Errorf("%d requests", w.server.asked)
			}
			w.server.takeTexts()
			fill(t, f)
			if texts := w.server.takeTexts(); texts != nil {
				t.Errorf("sent again: %q", texts)
			}
			if err := f.Again(t.Context()); err != nil {
				t.Error(err)
			}
			fill(t, w.finder("m"))
			if n := w.rows(t, ""); n != 5 {
				t.Errorf("%d vectors once the server takes the text", n)
			}
		})
	}
}

// TestFirstAnswerOdd: the size of the vectors is not that of the first one alone.
func TestFirstAnswerOdd(t *testing.T) {
	for name, archive := range map[string]string{
		"one text": "-- Kitchen.md --\nBroth of bones.\n",
		"two":      "-- A.md --\nA snail.\n-- Kitchen.md --\nBroth of bones.\n",
	} {
		w := newWorld(t, archive)
		f := w.finderOf(func(texts []string, right [][]float32) ([][]float32, error) {
			for i, text := range texts {
				if strings.Contains(text, "bones") {
					right[i] = right[i][:16]
				}
			}
			return right, nil
		})
		fill(t, f)
		w.write(t, "New.md", "A vehicle.\n\n# Physician\n\nA physician.\n")
		fill(t, f)
		wantBest(t, f, "automobile", index.Piece{Note: "New.md"})
		if n := w.rows(t, "Kitchen.md"); n != 0 {
			t.Errorf("%s: %d vectors of the odd text", name, n)
		}
	}
}

// TestTooLong: texts that are too long for a server are found by the mean of their parts, and soon are not sent whole.
func TestTooLong(t *testing.T) {
	var archive strings.Builder
	for i := range 40 {
		fmt.Fprintf(&archive, "-- L%d.md --\n%s\n", i, strings.Repeat(fmt.Sprintf("river %d\n", i), 180))
	}
	w := newWorld(t, archive.String()+notes)
	for _, limit := range []int{1200, 600, 300} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			w.server.asked = 0
			f := w.finderOf(func(texts []string, right [][]float32) ([][]float32, error) {
				if slices.ContainsFunc(texts, func(s string) bool { return len(s) > limit }) {
					return nil, vectors.ErrText
				}
				return right, nil
			})
			f.Model = fmt.Sprint(limit)
			fill(t, f)
			s, err := f.State(t.Context())
			if err != nil || s.Refused != 0 || w.rows(t, "") != 45 {
				t.Errorf("%+v, %v, %d vectors", s, err, w.rows(t, ""))
			}
			most := map[int]int{1200: 70, 600: 250, 300: 600}[limit]
			if w.server.asked > most {
				t.Errorf("%d requests", w.server.asked)
			}
			if like := f.Like(t.Context(), "river"); like[index.Piece{Note: "L7.md"}] == 0 {
				t.Errorf("a long text is not found by its meaning: %v", like)
			}
		})
	}
}

// TestServerRefusesAll: a server that answers every text with an error is at fault, not the texts: nothing is left
// out, the error is said, and it is not asked for ever.
func TestServerRefusesAll(t *testing.T) {
	var archive strings.Builder
	for i := range 200 {
		fmt.Fprintf(&archive, "-- %d.md --\nNote number %d about a vehicle, a snail and broth.\n", i, i)
	}
	for _, answered := range []int{0, 3} {
		w := newWorld(t, archive.String())
		broken := fmt.Errorf("500: out of memory: %w", vectors.ErrText)
		w.server.fails = func(n int) error {
			if n > answered {
				return broken
			}
			return nil
		}
		f := w.finder("m")
		if err := f.Fill(t.Context()); !errors.Is(err, broken) {
			t.Errorf("after %d answers: %v", answered, err)
		}
		s, err := f.State(t.Context())
		if err != nil || s.Refused != 0 || s.Done == 200 || w.server.asked > answered+60 {
			t.Errorf("after %d answers: %+v, %v, %d requests", answered, s, err, w.server.asked)
		}
		w.server.fails = nil
		fill(t, f)
		if s, err := f.State(t.Context()); err != nil || s.Done != 200 || w.rows(t, "") != 200 {
			t.Errorf("once it works: %+v, %v", s, err)
		}
	}
}

// TestOtherFailure: what says nothing of a text ends the work, which goes on later.
func TestOtherFailure(t *testing.T) {
	w := newWorld(t, notes)
	key := errors.New("401: who are you?")
	w.server.fails = func(int) error { return key }
	f := w.finder("m")
	if err := f.Fill(t.Context()); !errors.Is(err, key) || w.server.asked != 1 {
		t.Errorf("%v after %d requests", err, w.server.asked)
	}
}

// TestQuestionOfOtherSize: the first question notices that another model has the name, and the next Fill makes all
// vectors anew. One odd answer is no reason for that.
func TestQuestionOfOtherSize(t *testing.T) {
	w := newWorld(t, notes)
	fill(t, w.finder("m"))
	f := w.finderOf(func(texts []string, right [][]float32) ([][]float32, error) {
		if has(texts, "mollusc") {
			right[0] = right[0][:16]
		}
		return right, nil
	})
	if like := f.Like(t.Context(), "mollusc"); like != nil || w.rows(t, "") != 5 {
		t.Errorf("after an odd answer: %v, %d vectors", like, w.rows(t, ""))
	}
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	w.server.size = 32
	if like := f.Like(t.Context(), "engine"); like != nil || w.rows(t, "") != 0 {
		t.Errorf("of another model: %v, %d vectors of the old one", like, w.rows(t, ""))
	}
	if s, err := f.State(t.Context()); err != nil || s.Done != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	fill(t, f)
	wantBest(t, f, "bouillon", index.Piece{Note: "Kitchen.md"})
}

// TestDamagedRows: a row with lengths that do not fit costs itself, and is made anew.
func TestDamagedRows(t *testing.T) {
	for _, damage := range []string{
		"UPDATE meaning SET bits = NULL WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET bits = x'00' WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET bits = bits || bits WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET hashes = hashes || x'01' WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET hashes = hashes || hashes WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET hashes = x'0102' WHERE path = 'Kitchen.md'",
		"UPDATE meaning SET hashes = NULL WHERE path = 'Kitchen.md'",
		"UPDATE vector SET data = x'00' WHERE id IN (SELECT id << 12 FROM meaning WHERE path = 'Kitchen.md')",
		"UPDATE vector SET data = data || data WHERE id IN (SELECT id << 12 FROM meaning WHERE path = 'Kitchen.md')",
	} {
		w := newWorld(t, notes)
		fill(t, w.finder("m"))
		if err := w.index.Change(t.Context(), func(exec index.Exec) { exec(damage) }); err != nil {
			t.Fatal(err)
		}
		f := w.finder("m")
		wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
		fill(t, f)
		if strings.Contains(damage, "meaning SET") {
			wantBest(t, f, "bouillon", index.Piece{Note: "Kitchen.md"})
		}
		w.write(t, "Kitchen.md", "# New\n\nA word.\n\n# Kitchen\n\nBroth of bones.\n")
		fill(t, f)
		wantBest(t, f, "bouillon", index.Piece{Note: "Kitchen.md", Nth: 1})
	}
}

// FuzzAnswer: whatever a server answers, Fill and Like end, and words are found.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Add([]byte{5, 5, 5, 5, 5, 5, 5, 5})
	f.Add([]byte{0, 6, 7, 3, 0, 0, 4, 1, 1})
	f.Fuzz(func(t *testing.T, play []byte) {
		w := newWorld(t, notes)
		asked := 0
		finder := w.finderOf(func(texts []string, right [][]float32) ([][]float32, error) {
			asked++
			for i := range right {
				kind := byte(0)
				if len(play) > 0 {
					kind = play[(asked*7+len(texts[i]))%len(play)]
				}
				switch kind % 8 {
				case 1:
					right[i] = nil
				case 2:
					right[i] = right[i][:kind/8]
				case 3:
					right[i] = make([]float32, vaulttest.MeaningSize)
				case 4:
					right[i][kind/8] = float32(math.NaN())
				case 5:
					return right, vectors.ErrText
				case 6:
					return right[:i], nil
				case 7:
					return append(right, right...), nil
				}
			}
			return right, nil
		})
		for range 3 {
			_ = finder.Fill(t.Context())
			finder.Like(t.Context(), "automobile")
		}
		searcher := index.Searcher{Source: w.vault, Index: w.index, Like: finder.Like}
		hits, err := searcher.Search(t.Context(), index.Query{Text: "lettuce"})
		if err != nil || len(hits) == 0 || hits[0].Path != vault.Path("Garden.md") {
			t.Errorf("%+v, %v", hits, err)
		}
		if asked > 1000 {
			t.Errorf("%d requests", asked)
		}
	})
}
