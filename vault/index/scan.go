package index

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// reader is what one goroutine of a scan gathers.
type reader struct {
	*matcher
	notes  []*vault.Note // that hold a want, or what it may be a slip of
	counts []float64     // of them, by want
	norms  []float64     // of them
	slips  []*slips      // by want, nil for what can be none
	near   []nearby

	exact, loose, like []float64 // in the note that is looked at, by want
	far                []int     // how far what like counts is from a want
	text, tokens       []byte
	page               page
}

// nearby is how often words stand in a note that a want may be the beginning or a
// slip of.
type nearby struct {
	row, want int
	far       int
	count     float64
}

// sieve is a condition on notes that are read, and those that fit it.
type sieve struct {
	cond  *cond
	notes []*vault.Note // that may fit
	open  int           // of these, that have to be read to know
	mu    sync.Mutex
	lines map[vault.Path]int // of those that do: where, 0 for no line
}

// mostlyOpen reports whether most of the notes have to be read.
func (f *sieve) mostlyOpen() bool { return 2*f.open > len(f.notes) }

// add notes that n fits.
func (f *sieve) add(n *vault.Note, line int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines[n.Path] = line
}

// scan finds candidates by reading every note of a list, once, those that do not fit
// aside if there is a condition. It completes wants as the index does.
func scan(ctx context.Context, src Source, notes []*vault.Note, wants []want, most int, f *sieve) ([]*vault.Note, error) {
	average := averageSize(notes)
	missing := newMissing(wants)
	var mu sync.Mutex
	var readers []*reader
	err := each(ctx, src, len(notes), func(read reading) func(int) {
		r := newReader(wants)
		mu.Lock()
		defer mu.Unlock()
		readers = append(readers, r)
		return func(i int) {
			text, err := read(notes[i].Path)
			if err != nil {
				return
			}
			if f != nil {
				line := f.cond.lookInto(notes[i], &text, &r.page)
				if line < 0 {
					return
				}
				f.add(notes[i], line)
			}
			r.look(notes[i], &text, missing, average)
		}
	})
	if err != nil {
		return nil, err
	}
	nearest(readers, wants, missing)
	return rankScan(readers, wants, len(notes), most), nil
}

func newReader(wants []want) *reader {
	n := len(wants)
	r := &reader{
		matcher: newMatcher(wants), slips: make([]*slips, n), far: make([]int, n),
		exact: make([]float64, n), loose: make([]float64, n), like: make([]float64, n),
	}
	for i := range wants {
		if mayBeSlip(&wants[i]) {
			r.slips[i] = newSlips(wants[i].folded)
		}
	}
	return r
}

// mayBeSlip reports whether a want may be a slip of another word.
func mayBeSlip(w *want) bool { return w.word && allowed(w.folded) > 0 }

// look counts the wants in a note, and for those that are missing so far the words
// that they may be slips of.
func (r *reader) look(n *vault.Note, text *vault.Text, missing missing, average float64) {
	clear(r.exact)
	clear(r.loose)
	clear(r.like)
	some := missing.some()
	count := func(s string, weight float64) {
		plain := plainASCII(s)
		if plain && some {
			r.likeASCII(s, missing, weight)
		}
		if plain && r.countASCII(s, stem.Any, weight, r.exact, r.loose) {
			return
		}
		r.text = foldText(r.text[:0], s)
		r.count(r.text, stem.Any, weight, r.exact, r.loose)
		if some && !plain {
			r.startText()
			r.tokens = appendTokens(r.tokens[:0], r.text)
			for word := range bytes.FieldsSeq(r.tokens) {
				if len(word) <= longestWord && wordy(word) {
					r.tryWord(word, mask(string(word)), missing, weight)
				}
			}
		}
	}
	count(titles(n), titleWeight)
	count(categories(n), tagWeight)
	count(text.Content, 1)
	holds := func(n float64) bool { return n > 0 }
	if !slices.ContainsFunc(r.loose, holds) && !slices.ContainsFunc(r.like, holds) {
		return
	}
	missing.found(r.loose)
	for i, count := range r.like {
		if count > 0 {
			r.near = append(r.near, nearby{row: len(r.notes), want: i, far: r.far[i], count: count})
		}
	}
	r.notes = append(r.notes, n)
	r.counts = append(r.counts, r.loose...)
	r.norms = append(r.norms, bm25K1*(1-bm25B+bm25B*float64(len(text.Content))/average))
}

// likeASCII tries the words of a text of ASCII.
func (r *reader) likeASCII(text string, missing missing, weight float64) {
	r.startText()
	for i := 0; i < len(text); i++ {
		if asciiFold[text[i]] <= ' ' {
			continue
		}
		start, m := i, uint64(0)
		for ; i < len(text) && asciiFold[text[i]] > ' '; i++ {
			m |= asciiMask[text[i]]
		}
		if c := asciiFold[text[start]]; c < 'a' || i-start > longestWord || !r.mayBeLike(i-start, m, missing) {
			continue
		}
		r.word(text, start)
		r.tryWord(r.folded, m, missing, weight)
	}
}

// asciiMask is maskBit of what folding makes of the bytes of ASCII.
var asciiMask = func() (m [utf8.RuneSelf]uint64) {
	for i := range m {
		m[i] = maskBit(rune(asciiFold[i]))
	}
	return m
}()

// startText takes in that no word stands before the next.
func (r *reader) startText() {
	for _, s := range r.slips {
		if s != nil {
			s.before = 0
		}
	}
}

// mayBeLike reports whether a word of so many bytes and a mask is worth a try.
func (r *reader) mayBeLike(size int, m uint64, missing missing) bool {
	for i, s := range r.slips {
		if s != nil && (s.worth(size, m) || s.joins(size, m)) && missing[i].Load() {
			return true
		}
	}
	return false
}

// tryWord counts a word for the missing wants that it is most like in the note.
func (r *reader) tryWord(word []byte, m uint64, missing missing, weight float64) {
	for i, s := range r.slips {
		if s == nil || !missing[i].Load() {
			continue
		}
		if s.join(word) && r.like[i] == 0 {
			r.far[i], r.like[i] = apart, weight
		}
		if !s.worth(len(word), m) {
			continue
		}
		switch d := s.try(string(word)); {
		case d == 0:
		case r.like[i] == 0 || d < r.far[i]:
			r.far[i], r.like[i] = d, weight
		case d == r.far[i]:
			r.like[i] += weight
		}
	}
}

// missing says of each want whether it may be a slip and stands nowhere so far.
type missing []atomic.Bool

func newMissing(wants []want) missing {
	m := make(missing, len(wants))
	for i := range wants {
		m[i].Store(mayBeSlip(&wants[i]))
	}
	return m
}

func (m missing) some() bool {
	for i := range m {
		if m[i].Load() {
			return true
		}
	}
	return false
}

// found takes in what counts of wants say.
func (m missing) found(counts []float64) {
	for i := range m {
		if counts[i] > 0 && m[i].Load() {
			m[i].Store(false)
		}
	}
}

// rankScan counts in how many notes the wants stand, and takes the best.
func rankScan(readers []*reader, wants []want, all, most int) []*vault.Note {
	each := func(f func(n *vault.Note, counts []float64, norm float64)) {
		for _, r := range readers {
			for i, n := range r.notes {
				f(n, r.counts[i*len(wants):(i+1)*len(wants)], r.norms[i])
			}
		}
	}
	for i := range wants {
		wants[i].loose = 0
	}
	each(func(_ *vault.Note, counts []float64, _ float64) {
		for i, c := range counts {
			if c > 0 {
				wants[i].loose++
			}
		}
	})
	type rated struct {
		note  *vault.Note
		score float64
	}
	var list []rated
	each(func(n *vault.Note, counts []float64, norm float64) {
		sum, held := 0.0, 0.0
		for i, c := range counts {
			if w := &wants[i]; c > 0 && !w.common {
				r := rarity(w.loose, all)
				sum += r * c * (bm25K1 + 1) / (c + norm)
				held += r
			}
		}
		if held > 0 {
			list = append(list, rated{n, sum * held})
		}
	})
	slices.SortFunc(list, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.note.Path, b.note.Path))
	})
	list = list[:min(len(list), most)]
	best := make([]*vault.Note, len(list))
	for i, n := range list {
		best[i] = n.note
	}
	return best
}

// nearest counts, for wants that stand nowhere, the words that begin with them, else
// those with the fewest edits to them.
func nearest(readers []*reader, wants []want, missing missing) {
	for i := range wants {
		if !missing[i].Load() {
			continue
		}
		w, least := &wants[i], allowed(wants[i].folded)
		for _, r := range readers {
			least = min(least, r.slips[i].least)
		}
		split := 0
		for _, r := range readers {
			if r.slips[i].least == least {
				w.near = append(w.near, r.slips[i].found...)
			}
			split = max(split, r.slips[i].split)
		}
		if w.prefix = least == begun; !w.prefix && len(w.near) == 0 && split > 0 {
			least = apart
			w.part(split)
		}
		for _, r := range readers {
			for _, n := range r.near {
				if n.want == i && n.far == least {
					r.counts[n.row*len(wants)+i] = n.count
				}
			}
		}
		slices.Sort(w.near)
		w.near = slices.Compact(w.near)
	}
}

// averageSize is that of notes, in bytes, or of every so many of a lot.
func averageSize(notes []*vault.Note) float64 {
	sum, n := int64(0), int64(0)
	for i := 0; i < len(notes); i += 1 + len(notes)/1000 {
		sum += notes[i].Size
		n++
	}
	return max(float64(sum)/float64(max(n, 1)), 1)
}
