package edit

import (
	"errors"
	"strings"

	"ibid/vault/md"
)

// AddBullet returns text with a statement as a bullet after the last bullet, or at the end if there is none. A
// text that has this bullet already is returned as it is.
func AddBullet(text, statement string) string {
	statement = oneLine(statement)
	all := bullets(text)
	for _, b := range all {
		if b.text == statement {
			return text
		}
	}
	if len(all) == 0 {
		return Append(text, "- "+statement)
	}
	last := all[len(all)-1]
	return Insert(text, last.to, last.mark+statement)
}

// ReplaceBullet returns text with a statement in place of the one bullet that contains old, with the tolerances
// of Replace. The error is a *NotFoundError or a *NotUniqueError.
func ReplaceBullet(text, old, statement string) (string, error) {
	old = oneLine(old)
	var found []bullet
	for _, b := range bullets(text) {
		var missing *NotFoundError
		if _, err := Replace(b.text, old, "", true); !errors.As(err, &missing) {
			found = append(found, b)
		}
	}
	switch len(found) {
	case 0:
		return "", nearestLines(text, old)
	case 1:
		b, list := found[0], lines(text)
		end := lineEndOf(text)
		if !strings.HasSuffix(list[b.to-1], "\n") {
			end = ""
		}
		return strings.Join(list[:b.from-1], "") + b.mark + oneLine(statement) + end +
			strings.Join(list[b.to:], ""), nil
	}
	e := &NotUniqueError{}
	for _, b := range found {
		e.Lines = append(e.Lines, b.from)
	}
	return "", e
}

// Bullets returns the bullets of a text, each on one line and without its mark.
func Bullets(text string) []string {
	var all []string
	for _, b := range bullets(text) {
		all = append(all, b.text)
	}
	return all
}

// bullet is an item of a list.
type bullet struct {
	from, to int    // lines, from 1 and inclusive
	mark     string // the mark with the white space around it
	text     string // on one line
}

// bullets returns the bullets of a text, without those in properties and in code.
func bullets(text string) (all []bullet) {
	var fences md.Fences
	front := len(lines(text[:frontmatterEnd(text)]))
	for i, raw := range lines(text) {
		line := trimLineEnd(raw)
		if i < front || fences.Line(line) {
			continue
		}
		_, in := md.Indent(line)
		size := md.ListMark(line[in:])
		switch {
		case size > 0 && strings.ContainsRune("-*+", rune(line[in])):
			rest := strings.TrimLeft(line[in+size:], " \t")
			all = append(all, bullet{i + 1, i + 1, line[:len(line)-len(rest)], oneLine(rest)})
		case in > 0 && strings.TrimSpace(line) != "" && size == 0 && len(all) > 0 && all[len(all)-1].to == i:
			b := &all[len(all)-1]
			b.to, b.text = i+1, b.text+" "+oneLine(line)
		}
	}
	return all
}

// oneLine returns a statement without line ends, and without the mark of a bullet.
func oneLine(text string) string {
	text = md.OneLine(text)
	if size := md.ListMark(text); size == 1 {
		text = strings.TrimSpace(text[size:])
	}
	return text
}
