package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
)

// noteJSON is a note in the results of tools. Empty fields are left out.
type noteJSON struct {
	ID           string        `json:"id"`
	NoteID       string        `json:"noteId,omitempty"`
	Title        string        `json:"title"`
	Type         string        `json:"type"`
	Filename     string        `json:"filename,omitempty"`
	Content      *string       `json:"content,omitempty"`
	Metadata     *metadataJSON `json:"metadata,omitempty"`
	Links        *linksJSON    `json:"links,omitempty"`
	Outline      []headingJSON `json:"outline,omitempty"`
	LastModified string        `json:"lastModified,omitempty"`
	PinnedAt     string        `json:"pinnedAt,omitempty"`
	Source       string        `json:"source,omitempty"`
	LastAccessed string        `json:"lastAccessed,omitempty"`
}

type metadataJSON struct {
	Tags           []string       `json:"tags"`
	CustomFields   map[string]any `json:"customFields"`
	Created        string         `json:"created,omitempty"`
	LastModified   string         `json:"lastModified"`
	WordCount      *int           `json:"wordCount,omitempty"`
	CharacterCount *int           `json:"characterCount,omitempty"`
	NoteType       noteTypeJSON   `json:"noteType"`
}

type noteTypeJSON struct {
	Name string `json:"name"`
}

type linksJSON struct {
	Outgoing []outgoingJSON `json:"outgoing"`
	Incoming []incomingJSON `json:"incoming"`
}

type outgoingJSON struct {
	Target string `json:"target"`
	Title  string `json:"title"`
	Exists bool   `json:"exists"`
}

type incomingJSON struct {
	Source  string `json:"source"`
	Title   string `json:"title"`
	Context string `json:"context"`
}

type headingJSON struct {
	Level int    `json:"level"`
	Title string `json:"title"`
	Line  int    `json:"line"`
}

// Limits of the description of a note.
const (
	maxOutgoing   = 100
	maxIncoming   = 50
	maxContext    = 160
	maxCandidates = 10
)

// note returns a note, unless it is private or excluded.
func (o *Options) note(p vault.Path) (*vault.Note, bool) {
	n, ok := o.Vault.Note(p)
	return n, ok && !n.Private && !o.Vault.Ignored(p)
}

// findNote returns the note that a reference names for reading. The chat of the caller does not count.
func (o *Options) findNote(ctx context.Context, reference string) (*vault.Note, *mistake) {
	n, _, wrong := o.findPart(ctx, reference, vault.ToRead)
	return n, wrong
}

// findPart returns the note that a reference names, and the part of it, "" for the whole note. The chat of the caller
// does not count.
func (o *Options) findPart(ctx context.Context, reference string, purpose vault.Purpose) (*vault.Note, string,
	*mistake,
) {
	hide := vault.Path(chains.CallerOf(ctx).Chat)
	reference = strings.TrimPrefix(reference, "tab:")
	f := o.Vault.Find(reference, purpose)
	switch f.State {
	case vault.Missing:
		o.Settle(ctx, "") // it may be new
	case vault.Ambiguous:
		o.Settle(ctx, f.Candidates...)
	case vault.OK, vault.Moved:
		o.Settle(ctx, f.Path)
	}
	f = o.Vault.Find(reference, purpose)
	if n, ok := o.note(f.Path); ok && n.Path != hide {
		return n, f.Subpath, nil
	}
	var may []string
	for _, p := range f.Candidates {
		if n, ok := o.note(p); ok && n.Path != hide && len(may) < maxCandidates {
			may = append(may, string(n.Path))
		}
	}
	if f.State == vault.Ambiguous && len(may) == 1 { // the others do not exist for a model
		n, _ := o.note(vault.Path(may[0]))
		return n, f.Subpath, nil
	}
	if f.State == vault.Ambiguous && len(may) > 1 {
		return nil, "",
			&mistake{what: "Ambiguous reference", message: "name one of the candidates by its path", candidates: may}
	}
	if f.Path != "" && !f.Path.IsNote() && !o.Vault.Ignored(f.Path) {
		return nil, "", newMistake("Not a note",
			fmt.Sprintf("%s is %s: ibid cannot read it yet", f.Path, o.formatOf(f.Path)))
	}
	message := "no note has that path, title or name; localSearch finds notes by their words"
	if left := o.unsearched(""); left != "" {
		message += "." + strings.TrimSuffix(left, ".") // a title may stand in one of them
	}
	switch {
	case f.IsElsewhere(reference) && len(may) > 0:
		message = "there is no such note; there is " + strings.Join(may, ", ")
	case len(may) > 0:
		message = "there is " + strings.Join(may, ", ")
	}
	return nil, "", newMistake("Note not found", message)
}

// formatOf says what a file is that is no note: by its content, else by its name.
func (o *Options) formatOf(p vault.Path) string {
	var noText *vault.NoTextError
	_, err := o.Vault.Read(p)
	if errors.As(err, &noText) && noText.Format != "" {
		return noText.Format
	}
	return cmp.Or(vault.FileKind(p), "no note")
}

// section returns the lines of a part of a note, all lines for "".
func section(t *vault.Text, sub string) (from, to int, wrong *mistake) {
	if sub == "" {
		return 1, 1 << 30, nil
	}
	if from, to, ok := t.Section(sub); ok {
		return from, to, nil
	}
	wrong = newMistake("Part not found",
		fmt.Sprintf("%s has no #%s; name a part that there is, or the note alone", t.Note.Path, sub))
	for _, h := range t.Note.Headings[:min(len(t.Note.Headings), maxCandidates)] {
		wrong.candidates = append(wrong.candidates, string(t.Note.Path)+"#"+h.Text)
	}
	return 0, 0, wrong
}

// hasPart returns a mistake if a note has no such part.
func (o *Options) hasPart(p vault.Path, sub string) *mistake {
	text, wrong := o.read(p)
	if wrong == nil {
		_, _, wrong = section(&text, sub)
	}
	return wrong
}

// describe returns a description without the content of the note, with its metadata if they are wanted.
func (o *Options) describe(n *vault.Note, withMetadata bool) *noteJSON {
	j := &noteJSON{ID: string(n.Path), Title: n.Title, Type: typeOf(n)}
	if withMetadata {
		j.Metadata = metadata(n, j.Type, vault.CreatedAt(o.Vault, n.Path))
	}
	return j
}

// typeOf returns the property "type" of a note, by default "note".
func typeOf(n *vault.Note) string {
	for _, p := range n.Props("type") {
		if s, ok := p.Value.(string); ok && s != "" {
			return s
		}
	}
	return "note"
}

// metadata returns the metadata of a note of a type. The date in its properties comes before that of its file.
func metadata(n *vault.Note, kind string, created time.Time) *metadataJSON {
	m := &metadataJSON{
		Tags: append([]string{}, n.Tags...), CustomFields: map[string]any{}, Created: formatTime(created),
		LastModified: formatTime(n.ModTime), NoteType: noteTypeJSON{kind},
	}
	for _, p := range n.Props() {
		switch strings.ToLower(p.Key) {
		case "tags", "tag", "type", "title":
		case "created":
			if at, ok := p.Value.(time.Time); ok {
				m.Created = formatTime(at)
				continue
			}
			fallthrough
		default:
			m.CustomFields[p.Key] = p.Value
		}
	}
	return m
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// content sets the content of j to the note or a part of it, cut to limit characters, unless the caller has the
// note already, and the word and character counts in its metadata.
func (o *Options) content(by chains.Caller, j *noteJSON, sub string, limit int) *mistake {
	text, wrong := o.read(vault.Path(j.ID))
	if wrong != nil {
		return wrong
	}
	from, to, wrong := section(&text, sub)
	if wrong != nil {
		return wrong
	}
	whole := legible.Text(text.Lines(from, to))
	if j.Metadata != nil {
		words, characters := 0, utf8.RuneCountInString(whole)
		for range strings.FieldsSeq(whole) {
			words++
		}
		j.Metadata.WordCount, j.Metadata.CharacterCount = &words, &characters
	}
	content := truncateText(whole, limit)
	if by.Held != nil {
		if held := by.Held(j.ID); held != "" && held == o.Revision(vault.Path(j.ID)) {
			content = "[unchanged, see " + j.ID + " above]"
		}
	}
	j.Content = &content
	return nil
}

// links returns the links of a note, and those to it with their lines.
func (o *Options) links(ctx context.Context, n *vault.Note) *linksJSON {
	l := &linksJSON{Outgoing: []outgoingJSON{}, Incoming: []incomingJSON{}}
	for link := range n.Links() {
		to := outgoingJSON{Target: link.Target, Title: cmp.Or(link.Display, link.Target)}
		if p, title := o.target(link, n.Path); p != "" {
			to = outgoingJSON{string(p), title, true}
		}
		if link.Target != "" && len(l.Outgoing) < maxOutgoing &&
			!slices.ContainsFunc(l.Outgoing, func(o outgoingJSON) bool { return o.Target == to.Target }) {
			l.Outgoing = append(l.Outgoing, to)
		}
	}
	_, back := o.Links().Of(n.Path)
	for _, p := range back {
		from, ok := o.note(p)
		if !ok || len(l.Incoming) == maxIncoming || ctx.Err() != nil {
			continue
		}
		for link := range from.Links() {
			if link.Target != "" && o.Vault.Resolve(link.Target, from.Path).Path == n.Path {
				l.Incoming = append(l.Incoming,
					incomingJSON{string(from.Path), from.Title, o.line(from.Path, link.Line)})
				break
			}
		}
	}
	return l
}

// target returns the file that a link leads to, "" if there is none or the model must not know it.
func (o *Options) target(link vault.Link, from vault.Path) (p vault.Path, title string) {
	p = o.Vault.Resolve(link.Target, from).Path
	if n, ok := o.note(p); ok {
		return p, n.Title
	}
	if p == "" || p.IsNote() || o.Vault.Ignored(p) {
		return "", ""
	}
	return p, p.Name()
}

// line returns a line of a note, cut to maxContext.
func (o *Options) line(p vault.Path, line int) string {
	text, err := o.Vault.Read(p)
	if err != nil {
		return ""
	}
	return md.Clip(strings.TrimSpace(text.Lines(line, line)), maxContext)
}

// outline returns the headings of a note.
func outline(n *vault.Note) []headingJSON {
	list := make([]headingJSON, len(n.Headings))
	for i, h := range n.Headings {
		list[i] = headingJSON{h.Level, h.Text, h.Line}
	}
	return list
}
