package vault

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"ibid/vault/md"
)

// imageTypes are the extensions that Obsidian shows as pictures.
const imageTypes = " png jpg jpeg gif bmp svg webp avif "

// notUTF8 is the warning of a note whose bytes are no text in UTF-8.
const notUTF8 = "not valid UTF-8: broken characters are shown as \uFFFD"

// parse reads the metadata of a note out of its normalized text. It breaks off
// when stop, which may be nil, says so.
func (v *Vault) parse(p Path, text string, f *filters, stop func() bool) *Note {
	n := parseNote(p, text, stop)
	if len(f.own.tags) > 0 && f.privateTag(n.Tags) {
		n.Private = true
	}
	return n
}

// parseNote makes the Note of a text in one pass. No string in it refers to
// text, so that a vault's notes do not keep its files in memory.
func parseNote(p Path, text string, stop func() bool) *Note {
	n := &Note{Path: p, Title: p.Base(), BodyLine: 1}
	s, body := scanner{text: text, note: n}, 0
	if block, rest, ok := md.Frontmatter(text); ok {
		body = rest
		n.BodyLine = 1 + strings.Count(text[:rest], "\n")
		readFrontmatter(n, strings.Clone(block), &s.tags)
	} else if soundsPrivate(unclosed(text)) {
		n.Private = true
		warn(n, "the properties have no beginning or no end (---), and a line in them begins with private: the note counts as private")
	}
	s.body(body, n.BodyLine, stop)
	n.Tags = s.tags.list
	if isConflictCopy(p.Name()) {
		warn(n, "a copy that a sync conflict left behind")
	}
	return n
}

// normalize brings the bytes of a file into the form in which all text is
// handled: no byte order mark, LF, valid UTF-8. repaired says that some of it
// was not UTF-8 and reads U+FFFD now.
func normalize(data []byte) (text string, repaired bool) {
	text = strings.TrimPrefix(string(data), "\uFEFF")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if !utf8.ValidString(text) {
		return strings.ToValidUTF8(text, "\uFFFD"), true
	}
	return text, false
}

// isBinary reports whether data is no text: it holds a NUL near its start.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0
}

// isImage reports whether a link target names a picture.
func isImage(target string) bool {
	dot := strings.LastIndexByte(target, '.')
	return dot >= 0 && len(target)-dot <= 5 && len(target)-dot > 1 &&
		strings.Contains(imageTypes, " "+strings.ToLower(target[dot+1:])+" ")
}

// isConflictCopy knows the names that Syncthing, Dropbox and Obsidian Sync
// give to the losing side of a conflict.
func isConflictCopy(name string) bool {
	return strings.Contains(name, ".sync-conflict-") || strings.Contains(strings.ToLower(name), "conflicted copy")
}
