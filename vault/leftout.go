package vault

import (
	"fmt"
	"strings"

	"ibid/vault/md"
	"ibid/vault/ownfile"
)

// LeftOut is what a look into the notes could not see. It goes with every answer that says none: a word that no note
// holds may stand in one that was not read. Private notes are counted for the person alone, and do not exist for a
// model.
type LeftOut struct {
	Unread   []string // notes whose text is not known, each with the reason: "Big.md is above 4 MB"
	Unclear  int      // notes of which not even the properties could be read, so that they may be private
	Private  int
	Excluded int
}

// LeftOut returns what a look into the notes of a folder, "" for all, does not see. It goes through the notes.
func (v *Vault) LeftOut(folder Path) LeftOut {
	var l LeftOut
	isInside := func(p Path) bool { return folder == "" || p == folder || p.In(folder) }
	s := v.snap.Load()
	for _, n := range s.notes {
		switch {
		case !isInside(n.Path):
		case n.Private:
			l.Private++
		case n.Large:
			limit := strings.Replace(ownfile.FormatSize(v.opts.MaxNote), ".0 ", " ", 1)
			l.Unread = append(l.Unread, fmt.Sprintf("%s is above %s (files.max_note)", n.Path, limit))
		case n.Unread == headKnown:
			l.Unread = append(l.Unread, fmt.Sprintf("%s is %s", n.Path, n.Warning))
		case n.Unread == nothingKnown:
			l.Unclear++
		}
	}
	for _, p := range s.hidden {
		if p.IsNote() && isInside(p) {
			l.Excluded++
		}
	}
	return l
}

// Unread is how much is known of a note whose text cannot be searched.
type Unread int

const (
	textKnown    Unread = iota
	headKnown           // its beginning was read, so that it is known whether it is private
	nothingKnown        // it could not be opened
)

// maxNamed limits the notes that are named.
const maxNamed = 5

// ForModel returns in words what was left out, without private notes; "" if nothing was.
func (l *LeftOut) ForModel() string {
	count := len(l.Unread) + l.Unclear
	if count == 0 {
		return ""
	}
	text := "1 note was not searched"
	if count > 1 {
		text = md.Plural(count, "note") + " were not searched"
	}
	if len(l.Unread) > 0 {
		text += ": " + strings.Join(l.Unread[:min(len(l.Unread), maxNamed)], "; ")
	}
	more := len(l.Unread) - maxNamed
	if more > 0 {
		text += fmt.Sprintf("; and %d more like these", more)
	}
	if l.Unclear > 0 {
		text += fmt.Sprintf("; %d could not be opened", l.Unclear)
	}
	return text
}

// ForPerson is ForModel with the numbers of private and excluded notes.
func (l *LeftOut) ForPerson() string {
	var kinds []string
	if l.Private > 0 {
		kinds = append(kinds, fmt.Sprintf("%d private", l.Private))
	}
	if l.Excluded > 0 {
		kinds = append(kinds, fmt.Sprintf("%d excluded", l.Excluded))
	}
	text := l.ForModel()
	if len(kinds) == 0 {
		return text
	}
	hidden := strings.Join(kinds, " and ") + " notes"
	if l.Private+l.Excluded == 1 {
		hidden = kinds[0] + " note"
	}
	if text == "" {
		return "not searched: " + hidden
	}
	return text + "; nor were " + hidden
}
