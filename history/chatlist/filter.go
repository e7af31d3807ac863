package chatlist

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/dates"
)

// Filter selects chats. The zero value selects all of them.
type Filter struct {
	Text  string    // words to search for; Passes ignores them
	Notes []string  // for each, a part of the path of a note that the chat names, ignoring case
	Tags  []string  // for each, a tag of the chat or its parent; one that ends in * is a beginning
	Model string    // a part of the model's name, ignoring case
	Chain string    // the way turns are answered
	Since time.Time // changed at or after this time
	Until time.Time // changed before this time

	Archived bool // include the archive; for Select
}

// Select returns the chats of all, a list of the store from, that pass f.
func (f *Filter) Select(from *history.Store, all []history.Summary) []history.Summary {
	return slices.DeleteFunc(slices.Clone(all), func(s history.Summary) bool {
		return !f.Passes(&s) || !f.Archived && from.Archived(s.Path)
	})
}

// Passes reports whether f selects the chat by its summary. It ignores Text and Archived.
func (f *Filter) Passes(s *history.Summary) bool {
	if !f.Since.IsZero() && s.Modified.Before(f.Since) || !f.Until.IsZero() && !s.Modified.Before(f.Until) {
		return false
	}
	if f.Chain != "" && !strings.EqualFold(f.Chain, s.Chain) ||
		f.Model != "" && !strings.Contains(foldName(s.Model), foldName(f.Model)) {
		return false
	}
	for _, want := range f.Notes {
		want = foldName(want)
		if !slices.ContainsFunc(s.Notes, func(path string) bool { return strings.Contains(foldName(path), want) }) {
			return false
		}
	}
	for _, want := range f.Tags {
		want, open := strings.CutSuffix(foldName(strings.Trim(strings.TrimPrefix(want, "#"), "/")), "*")
		if !slices.ContainsFunc(s.Tags, func(tag string) bool {
			tag = foldName(tag)
			return vault.TagWithin(tag, want) || open && strings.HasPrefix(tag, want)
		}) {
			return false
		}
	}
	return true
}

// foldName returns s in the form for comparing names ignoring case.
func foldName(s string) string { return strings.ToLower(norm.NFC.String(s)) }

// operators are the words that ParseFilter knows before a colon.
var operators = []string{"note", "tag", "model", "chain", "since", "until"}

// ParseFilter parses a filter as a person types it: words, and among them note:PART, tag:NAME, model:PART,
// chain:NAME, since:DATE and until:DATE, with quotes around values that have spaces. A tag at the end is a
// beginning, unless a space follows. An invalid date gives an error and the filter without it.
func ParseFilter(typed string, now time.Time) (Filter, error) {
	var f Filter
	var wrong error
	var words []string
	for rest := strings.TrimLeft(typed, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		var word string
		word, rest = cutWord(rest)
		name, value, ok := strings.Cut(word, ":")
		name = strings.ToLower(name)
		if !ok || !slices.Contains(operators, name) {
			words = append(words, word)
			continue
		}
		value = strings.Trim(value, `"`)
		if name == "tag" && rest == "" && value != "" {
			value += "*"
		}
		if err := f.Set(name, value, now); err != nil {
			wrong = err
		}
	}
	f.Text = strings.Join(words, " ")
	return f, wrong
}

// cutWord splits s at its first space outside of quotes.
func cutWord(s string) (word, rest string) {
	quoted := false
	for i, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case !quoted && (r == ' ' || r == '\t' || r == '\n'):
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// Set applies one operator, as ParseFilter knows them; without a value, as while it is typed, it does nothing.
func (f *Filter) Set(name, value string, now time.Time) (err error) {
	if value == "" {
		return nil
	}
	var r dates.Range
	switch name {
	case "note":
		f.Notes = append(f.Notes, value)
	case "tag":
		f.Tags = append(f.Tags, value)
	case "model":
		f.Model = value
	case "chain":
		f.Chain = value
	case "since":
		r, err = parseDate(value, now)
		f.Since = r.From
	case "until":
		r, err = parseDate(value, now)
		f.Until = r.Until
	}
	return err
}

// parseDate parses a day or period as people write it.
func parseDate(s string, now time.Time) (dates.Range, error) {
	r, ok := dates.Parse(s, now)
	if !ok {
		return r, fmt.Errorf("%q is no date: 2026-01-31, 2026-01, 2026, today and \"last week\" are", s)
	}
	return r, nil
}
