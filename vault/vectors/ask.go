package vectors

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Servers refuse texts in many ways: one that is too long for the model or for a batch is answered with any of several
// statuses, with an empty list, with zeros, or with a vector fewer. No wording decides here. A request that is refused
// is made again in halves, down to single texts. A single text that is refused is cut in two, and its vector is the
// mean of those of its parts. If a part is refused as well, the text is left out. A text is only to blame while the
// server answers others: before the first one is cut, after blamedInARow that were left out, and at the end, a text
// that should be taken is sent, and if that is refused the server is what fails.

const (
	textsAtOnce  = 32          // texts of a request, at most
	slow         = time.Second // a request that takes longer is followed by a smaller one: a question waits for it
	blamedInARow = 8           // texts left out, without an answer to another one
	mostCuts     = 4           // of a long text, each in two: to a sixteenth
	shortText    = 200         // bytes of a text that is cut once at most: it is not its length that is refused
	harmless     = "note"      // a text that every server takes
)

// asker asks a server for vectors of one size.
type asker struct {
	ask   func(ctx context.Context, model string, texts []string) ([][]float32, error)
	model string
	size  int // numbers of a vector, 0 before the first
	most  int // texts of the next request

	taken     string // a text that was answered
	blamed    int    // texts that were left out since the server answered
	refusal   error  // of the last request that was refused
	longest   int    // bytes of the longest text that was answered
	cutLonger int    // bytes of a text that is cut without being sent whole, 0 while none was refused
}

// embed asks for vectors, with as many texts in a request as the server answers in a second, and adds them to vectors.
// Texts that the server does not take get none.
func (a *asker) embed(ctx context.Context, missing []string, vectors map[uint64][]byte) error {
	for len(missing) > 0 {
		n := min(len(missing), a.most)
		long := slices.IndexFunc(missing[:n], a.isTooLong)
		if long >= 0 {
			n = max(1, long) // it is asked for by itself, in parts
		}
		answer, err := a.vectorsOf(ctx, missing[:n])
		if err != nil {
			return err
		}
		for i, v := range answer {
			if v != nil {
				vectors[hash(missing[i])] = pack(v)
			}
		}
		missing = missing[n:]
	}
	if a.blamed > 0 {
		return a.checkServer(ctx)
	}
	return nil
}

// isTooLong reports whether a text is as long as one that was refused, and longer than all that were answered.
func (a *asker) isTooLong(text string) bool { return a.cutLonger > 0 && len(text) >= a.cutLonger }

// vectorsOf returns a vector for each text, nil for one that the server does not take.
func (a *asker) vectorsOf(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 1 {
		v, err := a.vectorOf(ctx, texts[0], mostCuts)
		return [][]float32{v}, err
	}
	answer, err := a.request(ctx, texts)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(answer, func(v []float32) bool { return v != nil }) {
		half := len(texts) / 2
		first, err := a.vectorsOf(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := a.vectorsOf(ctx, texts[half:])
		return append(first, second...), err
	}
	for i, v := range answer {
		if v == nil && err == nil {
			answer[i], err = a.vectorOf(ctx, texts[i], mostCuts)
		}
	}
	return answer, err
}

// vectorOf returns the vector of one text, else the mean of those of its parts, which may be cut so many times. It is
// nil if the server does not take a part.
func (a *asker) vectorOf(ctx context.Context, text string, cuts int) ([]float32, error) {
	if cuts < mostCuts || !a.isTooLong(text) {
		answer, err := a.request(ctx, []string{text})
		if err != nil || answer[0] != nil {
			return answer[0], err
		}
	}
	if a.taken == "" {
		if err := a.checkServer(ctx); err != nil {
			return nil, err
		}
	}
	v, err := a.mean(ctx, text, cuts)
	switch {
	case err != nil || cuts < mostCuts:
	case v != nil:
		a.cutLonger = max(a.longest+1, min(len(text), cmp.Or(a.cutLonger, len(text))))
	default:
		a.blamed++
		if a.blamed == blamedInARow {
			err = a.checkServer(ctx)
		}
	}
	return v, err
}

// mean cuts a text in two and returns the mean of the vectors of its parts.
func (a *asker) mean(ctx context.Context, text string, cuts int) ([]float32, error) {
	at := middle(text)
	isCut := cuts < mostCuts
	if cuts == 0 || at == 0 || isCut && len(text) < shortText {
		return nil, nil
	}
	parts := []string{text[:at], text[at:]}
	answer, err := a.request(ctx, parts)
	if err != nil {
		return nil, err
	}
	sum := make([]float32, a.size)
	for i, part := range parts {
		v := answer[i]
		if v == nil {
			v, err = a.vectorOf(ctx, part, cuts-1)
		}
		if err != nil || v == nil {
			return nil, err
		}
		addUnit(sum, v)
	}
	if !isUsable(sum) {
		return nil, nil
	}
	return sum, nil
}

// middle returns the offset in the middle of a text to cut it at: behind a line or a word near it, else behind a
// character. It is 0 for a text of one character.
func middle(text string) int {
	half := len(text) / 2
	for half > 0 && !utf8.RuneStart(text[half]) {
		half--
	}
	for _, mark := range []string{"\n", " "} {
		at := strings.LastIndex(text[:half], mark)
		if at > len(text)/4 {
			return at + len(mark)
		}
	}
	return half
}

// checkServer sends a text that the server took before, or one that it should take. If that is refused, the texts are
// not to blame, and checkServer returns the refusal.
func (a *asker) checkServer(ctx context.Context) error {
	answer, err := a.request(ctx, []string{cmp.Or(a.taken, harmless)})
	if err == nil && answer[0] == nil {
		err = a.refusal
	}
	return err
}

// request makes one request, with the texts introduced as those of notes. A vector is nil where the answer has none or
// an odd one; all are nil if the texts were refused. Any other failure is an error.
func (a *asker) request(ctx context.Context, texts []string) ([][]float32, error) {
	before, _ := introductions(a.model)
	var introduced []string
	for _, text := range texts {
		introduced = append(introduced, before+text)
	}
	began := time.Now()
	answer, err := a.ask(ctx, a.model, introduced)
	vectors := make([][]float32, len(texts))
	if err != nil && !errors.Is(err, ErrText) {
		return vectors, err
	}
	if err != nil || len(answer) != len(texts) {
		a.most = max(1, len(texts)/2)
		a.refusal = cmp.Or(err, errOdd)
		return vectors, nil
	}
	a.most = min(max(a.most, 2*len(texts)), textsAtOnce)
	if time.Since(began) > slow {
		a.most = max(1, len(texts)/2)
	}
	size, err := a.sizeOf(ctx, answer)
	if err != nil {
		return vectors, err
	}
	a.size = cmp.Or(a.size, size)
	if size != 0 && size != a.size {
		return vectors, ErrOtherSize
	}
	a.refusal = errOdd
	for i, v := range answer {
		if isUsable(v) && len(v) == a.size {
			vectors[i] = v
			a.taken = texts[i]
			a.blamed = 0
			a.longest = max(a.longest, len(texts[i]))
		}
	}
	return vectors, nil
}

// errOdd says that a server answered without vectors that can be used.
var errOdd = errors.New("the server answers with no vectors, or with odd ones")

// sizeOf returns the size of the vectors that the model makes, after an answer: that of the set, if a vector has it,
// else the one that most of them have; 0 if no vector can be used. One vector alone may be a slip of the server, so
// that two others are asked for.
func (a *asker) sizeOf(ctx context.Context, answer [][]float32) (int, error) {
	size, votes := commonSize(answer)
	hasOurs := slices.ContainsFunc(answer, func(v []float32) bool { return len(v) == a.size && isUsable(v) })
	if size == 0 || hasOurs {
		return cmp.Or(a.size, size), nil
	}
	if votes > 1 {
		return size, nil
	}
	others, err := a.ask(ctx, a.model, []string{harmless, cmp.Or(a.taken, harmless)})
	if err != nil && !errors.Is(err, ErrText) {
		return 0, err
	}
	agreed, votes := commonSize(others)
	if votes > 1 {
		return agreed, nil
	}
	return cmp.Or(a.size, size), nil
}

// commonSize returns the size that most of the vectors have that can be used, and how many have it; 0 if there are none.
func commonSize(vectors [][]float32) (size, votes int) {
	count := map[int]int{}
	for _, v := range vectors {
		if !isUsable(v) {
			continue
		}
		count[len(v)]++
		if count[len(v)] > votes {
			size = len(v)
			votes = count[size]
		}
	}
	return size, votes
}

// isUsable reports whether a vector has a direction: not one of zeros, and each number finite.
func isUsable(v []float32) bool {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	return length > 0 && !math.IsInf(length, 0) && !math.IsNaN(length)
}

// addUnit adds a vector, at the length 1, to a sum.
func addUnit(sum, v []float32) {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	for i := range sum {
		sum[i] += v[i] / float32(math.Sqrt(length))
	}
}
