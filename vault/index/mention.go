package index

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
)

// mentions are notes that a query asks for otherwise than by words in them.
type mentions struct {
	named  []*vault.Note // that bear the query as a name, or that it links to
	tagged []*vault.Note // with a tag that it names, newest first
}

// mentions finds the notes with the whole query as a title, alias or file name,
// those that it links to as in [[note]], and those with a #tag of it. Of each
// there are no more than hits are wanted.
func (s Searcher) mentions(ctx context.Context, q *Query, pass func(*vault.Note) bool) (m mentions, err error) {
	names := linked(q.Text)
	if whole := foldLine(q.Text); whole != "" {
		names = append(names, whole)
	}
	tags := tagsIn(q.Text)
	if s.indexed() {
		m, err = s.Index.mentions(ctx, names, tags, q.limit(), s.visible(pass))
		if err == nil || ctx.Err() != nil {
			return m, err
		}
	}
	m = mentions{}
	for _, n := range s.Source.Notes() {
		if bears(n, names) && pass(n) {
			m.named = append(m.named, n)
		}
		if hasAny(n, tags) && pass(n) {
			m.tagged = append(m.tagged, n)
		}
	}
	slices.SortStableFunc(m.tagged, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
	m.named = m.named[:min(len(m.named), q.limit())]
	m.tagged = m.tagged[:min(len(m.tagged), q.limit())]
	return m, nil
}

// mentions asks the index for what bears one of the names or tags.
func (x *Index) mentions(ctx context.Context, names, tags []string, most int, visible func(vault.Path) *vault.Note) (m mentions, err error) {
	err = x.use(ctx, func(db *sql.DB) error {
		take := func(list *[]*vault.Note, fits func(*vault.Note) bool, query, arg string) error {
			rows, err := db.QueryContext(ctx, query, arg)
			if err != nil {
				return err
			}
			defer rows.Close()
			for len(*list) < most && rows.Next() {
				var p vault.Path
				if err := rows.Scan(&p); err != nil {
					return err
				}
				if n := visible(p); n != nil && fits(n) && !slices.Contains(*list, n) {
					*list = append(*list, n)
				}
			}
			return rows.Err()
		}
		for _, name := range names {
			err := take(&m.named, func(n *vault.Note) bool { return bears(n, names) },
				"SELECT note.path FROM name JOIN note ON note.id = name.note WHERE folded = ?", name)
			if err != nil {
				return err
			}
		}
		for _, tag := range tags {
			words := term{folded: foldLine(tag)}
			err := take(&m.tagged, func(n *vault.Note) bool { return hasTag(n, tag) },
				"SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid WHERE text MATCH ? ORDER BY text.rowid DESC", "tags : "+words.match())
			if err != nil {
				return err
			}
		}
		return nil
	})
	return m, err
}

// bears reports whether a note has one of the folded names.
func bears(n *vault.Note, names []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(names, func(want string) bool { return mayFold(name, want) && foldLine(name) == want })
	}
	return has(n.Title) || has(n.Path.Base()) || slices.ContainsFunc(n.Aliases, has)
}

// hasAny reports whether a note has one of the tags.
func hasAny(n *vault.Note, tags []string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return hasTag(n, tag) })
}

// mayFold reports, at little cost, whether name may be want when it is folded.
func mayFold(name, want string) bool {
	for i := 0; i < len(name) && i < len(want) && name[i] < utf8.RuneSelf; i++ {
		switch c := asciiFold[name[i]]; {
		case c == ' ' || c == '\n':
			return true
		case c != want[i]:
			return false
		}
	}
	r, _ := utf8.DecodeRuneInString(name)
	first, _ := utf8.DecodeRuneInString(want)
	r = foldRune(r)
	return r == first || r == dropped || !wordRune(r) || r == 'ß'
}

// foldLine is text folded, as one line.
func foldLine(text string) string {
	return strings.Join(strings.Fields(string(foldText(nil, text))), " ")
}

// linked are the folded file names of the [[links]] in text.
func linked(text string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(text, "[[")
		target, after, closed := strings.Cut(rest, "]]")
		if !ok || !closed {
			return names
		}
		if at := strings.IndexAny(target, "|#"); at >= 0 {
			target = target[:at]
		}
		if name := foldLine(strings.TrimSuffix(target[strings.LastIndexByte(target, '/')+1:], ".md")); name != "" {
			names = append(names, name)
		}
		text = after
	}
}

// tagsIn are the tags in text, folded for hasTag.
func tagsIn(text string) []string {
	var tags []string
	for word := range strings.FieldsSeq(text) {
		tag, ok := strings.CutPrefix(word, "#")
		tag = strings.TrimRight(tag, "/.,;:!?")
		if ok && strings.ContainsFunc(tag, unicode.IsLetter) {
			tags = append(tags, foldName(tag))
		}
	}
	return tags
}
