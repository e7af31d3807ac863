package browse

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
	"ibid/vault/names"
)

const (
	previewLines = 200     // lines of a note in a preview
	previewSize  = 1 << 20 // size in bytes above which a note is not read for a preview
	footBytes    = 200     // about how many bytes of a note stand under a list
)

// noteText holds the lines of a note for a preview; headings have the weight of their sections.
type noteText struct {
	path  string
	lines []string
}

// Preview shows a note beside the list: its metadata, and its text once it was read.
func (n *noteList) Preview(id string) picker.Preview {
	n.shown = id
	note, dot := n.noteAt(id), " "+n.Theme.Glyphs.Dot+" "
	if note == nil {
		return picker.Preview{}
	}
	p := picker.Preview{Title: note.Title, Meta: estimateTokens(note.Size) + " tokens" + dot +
		page.FormatAge(n.Now().Sub(note.ModTime))}
	add := func(text string) { p.Lines = append(p.Lines, picker.Line{Text: text}) }
	if len(note.Aliases) > 0 {
		add("aliases " + strings.Join(note.Aliases, dot))
	}
	about := "out 0"
	if links := n.Notes.All.Links; links != nil {
		out, in := links.Of(note.Path)
		about = "linked from " + theme.Plural(len(in), "note") + dot + theme.Plural(len(out), "link") + " out"
	}
	if len(note.Tags) > 0 {
		about += dot + "#" + strings.Join(note.Tags, " #")
	}
	add(about)
	add("")
	if n.text.path == id {
		p.Note = strings.Join(n.text.lines, "\n")
	}
	return p
}

// Remark explains the place of the row under the cursor if its text stands beside the list; else it
// returns the beginning of the text.
func (n *noteList) Remark(id string, wide bool) string {
	note := n.noteAt(id)
	switch {
	case note == nil:
		return notesRemark
	case wide:
		return n.reasons(id)
	case n.text.path != id:
		return estimateTokens(note.Size) + " tokens" + n.Theme.Glyphs.Ellipsis // until it is read
	}
	begins := ""
	for _, line := range n.text.lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && len(begins) < footBytes {
			begins += line + "\n"
		}
	}
	return cmp.Or(n.plainLine(begins), "no text in it")
}

// plainLine returns markdown as one line without marks.
func (n *noteList) plainLine(text string) string {
	v := mdview.Whole(*n.Theme, text, mdview.Options{})
	return md.OneLine(ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), " "))))
}

// reasons returns the reasons for the place of a note in the list, the strongest first.
func (n *noteList) reasons(id string) string {
	m := page.Find(n.matches, func(m *names.Match) bool { return m.ID == id })
	if m == nil {
		return notesRemark
	}
	var why []string
	if len(m.Runes) > 0 {
		field := [...]string{"title", "alias", "name", "path"}[m.Field]
		why = append(why, field+" "+[...]string{
			"as typed", "prefix", "at the start of words", "inside", "inside",
			"in its letters",
		}[m.Tier])
	}
	if from := n.linkedNote(m.Path); m.Distance == 1 && from != "" {
		why = append(why, "linked with "+from)
	} else if m.Distance > 0 {
		why = append(why, theme.Plural(m.Distance, "link")+" away")
	}
	if m.Used > 0 {
		why = append(why, "used here "+theme.Plural(m.Used, "time"))
	}
	why = append(why, "changed "+page.FormatAge(n.Now().Sub(m.Note.ModTime)))
	place := "first"
	if m != &n.matches[0] {
		place = "here"
	}
	return "why " + place + ": " + n.Theme.Glyphs.Dotted(why...)
}

// linkedNote returns the name of the note at hand that a note links to, or that links to it.
func (n *noteList) linkedNote(p vault.Path) string {
	to, from := n.Notes.All.Links.Of(p)
	for _, other := range slices.Concat(from, to) {
		if n.finder.Near[other] == 0 {
			if _, ok := n.finder.Near[other]; ok {
				return other.Base()
			}
		}
	}
	return ""
}

// At reads the note under the cursor, unless it is read already or too large.
func (n *noteList) At(id string) page.Request {
	note := n.noteAt(id)
	if note == nil || n.text.path == id || note.Size > previewSize {
		return nil
	}
	v := n.Vault
	return page.Do{Work: func(context.Context) tea.Msg { return readNote(v, note, id) }}
}

// readNote returns the beginning of a note for a preview.
func readNote(v *vault.Vault, note *vault.Note, id string) (out noteText) {
	text, err := v.Local().Read(note.Path)
	if err != nil {
		return noteText{path: id, lines: []string{"it cannot be read: " + err.Error()}}
	}
	all := strings.Split(strings.TrimRight(legible.Lines(text.Content), "\n"), "\n")
	headings, size := note.Headings, int64(0) // those above the line, and what follows it in its section
	for n := len(all); n >= max(note.BodyLine, 1); n-- {
		line := strings.ReplaceAll(strings.TrimRight(all[n-1], "\r"), "\t", "    ")
		size += int64(len(all[n-1])) + 1
		if last := len(headings) - 1; last >= 0 && headings[last].Line == n {
			line += "  " + estimateTokens(size) + " tokens"
			headings, size = headings[:last], 0
		}
		out.lines = append(out.lines, line)
	}
	slices.Reverse(out.lines)
	for len(out.lines) > 0 && out.lines[0] == "" {
		out.lines = out.lines[1:]
	}
	out.path, out.lines = id, out.lines[:min(len(out.lines), previewLines)]
	return out
}
