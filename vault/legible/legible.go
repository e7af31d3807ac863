package legible

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ibid/vault/md"
)

// Text returns a text as a reader gets it: without ibid's comments, with a placeholder for each run of data. A text
// without them is returned as it is, without a copy.
func Text(text string) string {
	text, _ = Read(text)
	return text
}

// Read works like [Text], and returns the size of the data that is left out, as "530 kB"; "" for none. Images in data
// URIs do not count.
func Read(text string) (readable, leftOut string) {
	text = md.CutHidden(text)
	all := findData(text)
	size := 0
	for _, d := range all {
		if !d.isImage {
			size += d.end - d.start
		}
	}
	if size > 0 {
		leftOut = formatSize(size)
	}
	return replace(text, all, func(d data) string { return d.placeholder }), leftOut
}

// Lines returns a text like [Text], in which each line has the number that it had.
func Lines(text string) string {
	text = md.BlankHidden(text)
	return replace(text, findData(text), func(d data) string {
		return d.placeholder + strings.Repeat("\n", strings.Count(text[d.start:d.end], "\n"))
	})
}

// Restore returns the text after, written by somebody who has read the text before without its data, with the data in
// place of its placeholders. It fails if one of them is missing, since that data would be lost.
func Restore(before, after string) (string, error) {
	all := findData(before)
	if len(all) == 0 {
		return after, nil
	}
	var back []data // where data goes in the text after
	found := map[string]int{}
	for _, d := range all {
		from := found[d.placeholder]
		at := strings.Index(after[from:], d.placeholder)
		if at < 0 {
			return "", fmt.Errorf("the note has data that is left out when it is read, and that the new text would "+
				"delete: keep %q in its place", d.placeholder)
		}
		start := from + at
		found[d.placeholder] = start + len(d.placeholder)
		back = append(back, data{start: start, end: found[d.placeholder], placeholder: before[d.start:d.end]})
	}
	slices.SortFunc(back, func(a, b data) int { return cmp.Compare(a.start, b.start) })
	return replace(after, back, func(d data) string { return d.placeholder }), nil
}

// data is a run of data in a text.
type data struct {
	start, end  int // byte offsets
	placeholder string
	isImage     bool // an image in a data URI
}

// replace returns a text with something else in place of its data.
func replace(text string, all []data, with func(data) string) string {
	if len(all) == 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for _, d := range all {
		b.WriteString(text[done:d.start])
		b.WriteString(with(d))
		done = d.end
	}
	b.WriteString(text[done:])
	return b.String()
}
