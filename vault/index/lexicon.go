package index

import (
	"bytes"
	"context"
	"database/sql"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexicon gathers words of notes, without the pairs of dense scripts. In the
// file they stand by their first letter in lists, which grow in number with the
// batches and are joined now and then.
type lexicon map[string]struct{}

// fewLists is how many lists of a letter are not worth joining.
const fewLists = 32

// longestWord bounds the bytes of a word in the lexicon: what is longer is an
// address or data.
const longestWord = 40

// add adds the words among tokens.
func (l lexicon) add(tokens []byte) {
	for len(tokens) > 0 {
		end := bytes.IndexByte(tokens, ' ')
		word := tokens[:end]
		tokens = tokens[end+1:]
		if len(word) < 2 || len(word) > longestWord {
			continue
		}
		if _, ok := l[string(word)]; !ok && wordy(word) {
			l[string(word)] = struct{}{}
		}
	}
}

// wordy reports whether word is one that a person may mistype, or of which there
// may be other forms: it starts with a letter, and is of no dense script.
func wordy(word []byte) bool {
	r, _ := utf8.DecodeRune(word)
	return unicode.IsLetter(r) && !dense(r)
}

// lists gives the words as the file has them.
func (l lexicon) lists(put func(first, list string) error) error {
	words := make([]string, 0, len(l))
	for w := range l {
		words = append(words, w)
	}
	slices.Sort(words)
	for len(words) > 0 {
		first := firstLetter(words[0])
		n := 1
		for n < len(words) && strings.HasPrefix(words[n], first) {
			n++
		}
		if err := put(first, "\n"+strings.Join(words[:n], "\n")+"\n"); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

func firstLetter(word string) string {
	_, n := utf8.DecodeRuneInString(word)
	return word[:n]
}

// joinLists joins the lists of each letter of which there are more than most.
func (x *Index) joinLists(ctx context.Context, most int) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		letters, err := texts(ctx, tx, "SELECT first FROM lexicon GROUP BY first HAVING count(*) > ?", most)
		if err != nil {
			return err
		}
		for _, first := range letters {
			lists, err := texts(ctx, tx, "SELECT list FROM lexicon WHERE first = ?", first)
			if err != nil {
				return err
			}
			words := strings.Fields(strings.Join(lists, ""))
			slices.Sort(words)
			words = slices.Compact(words)
			if _, err := tx.ExecContext(ctx, "DELETE FROM lexicon WHERE first = ?", first); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO lexicon VALUES (?, ?)", first, "\n"+strings.Join(words, "\n")+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// texts is the first column of a query.
func texts(ctx context.Context, db querier, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// beginning lists the words of the index that start with prefix.
func beginning(ctx context.Context, db querier, prefix string) ([]string, error) {
	lists, err := texts(ctx, db, "SELECT list FROM lexicon WHERE first = ?", firstLetter(prefix))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, list := range lists {
		for {
			at := strings.Index(list, "\n"+prefix)
			if at < 0 {
				break
			}
			list = list[at+1:]
			end := strings.IndexByte(list, '\n')
			found = append(found, list[:end])
			list = list[end:]
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// similar lists the words of the index that word may be a slip of: those that
// start with its first or second letter, or if there are none, all others.
func similar(ctx context.Context, db querier, word string) ([]string, error) {
	first := firstLetter(word)
	second := firstLetter(word[len(first):])
	for _, where := range []string{"IN", "NOT IN"} {
		lists, err := texts(ctx, db, "SELECT list FROM lexicon WHERE first "+where+" (?, ?)", first, second)
		if err != nil {
			return nil, err
		}
		s := newSlips(word)
		for _, list := range lists {
			for w := range strings.FieldsSeq(list) {
				s.try(w)
			}
		}
		if len(s.found) > 0 {
			return s.found, nil
		}
	}
	return nil, nil
}

// slips finds the words that a word may be a slip of: letters left out, added, exchanged
// for another or with their neighbour. Only the nearest count.
type slips struct {
	text  string
	word  []rune // of text
	mask  uint64
	least int // edits of those that were found, at first the most that may be
	found []string

	rows  [3][]int
	other []rune
}

// shortestPart bounds the bytes of the parts of a word that may be two.
const shortestPart = 3

func newSlips(word string) *slips {
	s := &slips{text: word, word: []rune(word), mask: mask(word), least: allowed(word)}
	for i := range s.rows {
		s.rows[i] = make([]int, len(s.word)+1)
	}
	return s
}

// allowed is how many edits a word may be from another: one up to seven letters, two
// above; 0 if it is too short to tell, or has a digit.
func allowed(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case n < 3 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || dense(r) }):
		return 0
	case n <= 7:
		return 1
	}
	return 2
}

// try takes w if no other word is closer.
func (s *slips) try(w string) {
	d, m := len(w)-len(s.text), mask(w)
	if max(d, -d) > s.least*utf8.UTFMax || bits.OnesCount64(m&^s.mask) > s.least || bits.OnesCount64(s.mask&^m) > s.least {
		return // which is plain to see
	}
	switch d := s.edits(w); {
	case d == 0 || d > s.least:
	case d < s.least:
		s.least, s.found = d, []string{w}
	case !slices.Contains(s.found, w):
		s.found = append(s.found, w)
	}
}

// edits is how many w is from the word, as far as least allows.
func (s *slips) edits(w string) int {
	most := s.least
	s.other = s.other[:0]
	for _, r := range w {
		s.other = append(s.other, r)
	}
	a, b := s.word, s.other
	if d := len(a) - len(b); max(d, -d) > most {
		return most + 1
	}
	before, last, row := s.rows[0], s.rows[1], s.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := range b {
		row[0] = i + 1
		least := row[0]
		for j := range a {
			cost := 1
			if a[j] == b[i] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[j] == b[i-1] && a[j-1] == b[i] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return least
		}
		before, last, row = last, row, before
	}
	return last[len(a)]
}
