package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/md"
)

const (
	previewLines = 200     // of a note that are shown beside a list
	previewSize  = 1 << 20 // bytes above which a note is not read for that
)

// noteText is the lines of a note, headings with what their sections weigh.
type noteText struct {
	path  string
	lines []string
}

// preview shows a note beside the list: what is known of it, and its text as soon as
// that was read.
func (n *noteList) preview(id string) picker.Preview {
	n.shown = id
	note, dot := n.noteAt(id), " "+n.k.theme.Glyphs.Dot+" "
	if note == nil {
		return picker.Preview{}
	}
	p := picker.Preview{Title: note.Title, Meta: about(note.Size) + " tokens" + dot + ago(n.k.opt.now().Sub(note.ModTime))}
	add := func(text string) { p.Lines = append(p.Lines, picker.Line{Text: text}) }
	if len(note.Aliases) > 0 {
		add("aliases " + strings.Join(note.Aliases, dot))
	}
	about := "out 0"
	if links := n.k.notes.all.Links; links != nil {
		out, in := links.Of(note.Path)
		about = theme.Plural(len(in), "note") + " link here" + dot + theme.Plural(len(out), "link") + " out"
	}
	if len(note.Tags) > 0 {
		about += dot + "#" + strings.Join(note.Tags, " #")
	}
	add(about)
	add("")
	if n.text.path == id {
		for _, line := range n.text.lines {
			add(line)
		}
		return p
	}
	for _, h := range note.Headings { // until it is read
		add(strings.Repeat("#", h.Level) + " " + h.Text)
	}
	return p
}

// at reads the note beside which the cursor is, if it is not read yet.
func (n *noteList) at(id string) intent {
	note := n.noteAt(id)
	if note == nil || n.text.path == id || note.Size > previewSize {
		return nil
	}
	v := n.k.opt.Vault
	return compute{func(context.Context) tea.Msg { return readNote(v, note, id) }}
}

// readNote is the beginning of a note as a preview shows it.
func readNote(v *vault.Vault, note *vault.Note, id string) noteText {
	text, err := v.Read(note.Path)
	if err != nil {
		return noteText{path: id, lines: []string{"it cannot be read: " + err.Error()}}
	}
	all := strings.Split(strings.TrimRight(md.BlankHidden(text.Content), "\n"), "\n")
	weight := map[int]string{} // by line
	for i, h := range note.Headings {
		end := len(all) + 1
		if i+1 < len(note.Headings) {
			end = note.Headings[i+1].Line
		}
		size := 0
		for n := h.Line; n < end && n <= len(all); n++ {
			size += len(all[n-1]) + 1
		}
		weight[h.Line] = about(int64(size)) + " tokens"
	}
	out := noteText{path: id}
	for n := max(note.BodyLine, 1); n <= len(all) && len(out.lines) < previewLines; n++ {
		line := strings.ReplaceAll(strings.TrimRight(all[n-1], "\r"), "\t", "    ")
		if w := weight[n]; w != "" {
			line += "  " + w
		}
		if len(out.lines) > 0 || line != "" {
			out.lines = append(out.lines, line)
		}
	}
	return out
}
