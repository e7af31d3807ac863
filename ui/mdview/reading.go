package mdview

import (
	"cmp"
	"strings"

	"ibid/ui/picture"
	"ibid/vault/md"
)

// maxEmbedded limits the shown lines of an embedded note.
const maxEmbedded = 8

// ReadingText converts a note for reading: its properties become a folded table, and embedded notes
// become folds with their first lines, which embed returns. The lines first..last of the note, counted
// from 1, become the bytes start..end of text.
func ReadingText(note string, first, last int, embed func(target string) string) (text string, start, end int) {
	var b strings.Builder
	n := 0
	block, rest, ok := md.Frontmatter(note)
	if ok {
		b.WriteString(propertyTable(block))
		n = strings.Count(note[:rest], "\n")
	}
	var code md.Fences
	for line := range strings.Lines(note[rest:]) {
		if n++; n == first {
			start = b.Len()
		}
		inside := code.Line(strings.TrimRight(line, "\r\n"))
		if target, label := embeddedIn(line); !inside && target != "" {
			line = foldedBlock("embed", label, embed(target))
		}
		if b.WriteString(line); n == last {
			end = b.Len()
		}
	}
	return b.String(), start, end
}

// embeddedIn returns the target and label of the embedded note in a line, "" if the line has anything
// else.
func embeddedIn(line string) (target, label string) {
	link, ok := strings.CutPrefix(strings.TrimSpace(line), "!")
	inner, n := md.Wikilink(link)
	if !ok || inner == "" || n < len(link) {
		return "", ""
	}
	if target, label = md.Target(inner); picture.IsImage(target) {
		return "", ""
	}
	return target, cmp.Or(label, target)
}

// foldedBlock returns a folded callout with the first lines of a text.
func foldedBlock(kind, title, text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > maxEmbedded {
		lines = append(lines[:maxEmbedded], "…")
	}
	return "> [!" + kind + "]- " + title + "\n> " + strings.Join(lines, "\n> ") + "\n"
}

// propertyTable returns the frontmatter of a note as a table in a fold.
func propertyTable(block string) string {
	var rows [][2]string
	for line := range strings.Lines(block) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "|", `\|`)
		key, value, ok := strings.Cut(line, ":")
		switch item := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")); {
		case item == "" || item == "---":
		case ok && line[0] != ' ' && line[0] != '-':
			rows = append(rows, [2]string{key, strings.TrimSpace(value)})
		case len(rows) > 0:
			last := &rows[len(rows)-1]
			last[1] = strings.TrimPrefix(last[1]+", "+item, ", ")
		}
	}
	var b strings.Builder
	b.WriteString("> [!properties]-\n> | property | value |\n> |---|---|\n")
	for _, row := range rows {
		b.WriteString("> | " + row[0] + " | " + row[1] + " |\n")
	}
	return b.String() + "\n"
}
