package vault

import (
	"strings"

	"ibid/vault/md"
)

// parseNote parses a text in one pass.
func parseNote(p Path, text string) *Note { return new(draft).parse(p, text, nil) }

// parse implements parseNote, reusing the memory of the last note. It gives up when stop, which may be nil, returns
// true.
func (d *draft) parse(p Path, text string, stop func() bool) *Note {
	d.reset(p)
	s, body := scanner{text: text, note: d}, 0
	if block, rest, ok := md.Frontmatter(text); ok {
		body = rest
		d.BodyLine = 1 + strings.Count(text[:rest], "\n")
		// the last line of the frontmatter is the last of the text, without a line end
		if !strings.HasSuffix(text[:rest], "\n") {
			d.BodyLine++
		}
		readFrontmatter(d, block, &s.tags)
	}
	if len(d.props) == 0 {
		d.readPrivateHead(text, body)
	}
	s.body(body, d.BodyLine, stop)
	d.Tags = s.tags.list
	d.markChat(d.Tags)
	if isConflictCopy(p.Name()) {
		addWarning(&d.Note, "a copy that a sync conflict left behind")
	}
	return unpack(p, d.pack())
}

// Normalize converts the bytes of a file to the form in which all text is handled: no byte order mark, LF,
// valid UTF-8. odd is a warning about the bytes, "" if they were UTF-8. Bytes that are no text are converted
// character by character.
func Normalize(data []byte) (text, odd string) {
	c := Judge(data)
	if c.Binary {
		c = newText(strings.ToValidUTF8(string(data), "\uFFFD"), "")
	}
	return c.Text, c.warning()
}

// isConflictCopy reports whether name is a name that Syncthing, Dropbox or Obsidian Sync give to the losing
// side of a conflict.
func isConflictCopy(name string) bool {
	return strings.Contains(name, ".sync-conflict-") || strings.Contains(strings.ToLower(name), "conflicted copy")
}
