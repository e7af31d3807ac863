package calltext

import (
	"strings"

	"ibid/vault/md"
)

// Block is a note that a reply proposes to write, as it stands in its text:
//
//	<writeToFile>
//	<path>Folder/Note.md</path>
//	<content>
//	…
//	</content>
//	</writeToFile>
type Block struct {
	From, To int // where it stands in the text, in bytes
	Path     string
	Content  string
	Err      string // why it proposes nothing: "is not closed", "names no path", "has no content"
}

// BlockGuide is what a model is told of blocks when the person asks for one.
const BlockGuide = `To propose a note, write this block on lines of its own and outside of code fences; the person sees the change and agrees or not:
<writeToFile>
<path>Folder/Note.md</path>
<content>
the whole text of the note
</content>
</writeToFile>
A note that exists is replaced as a whole.`

// blockTags open blocks at the beginning of a line, in any case.
var blockTags = []string{"writetofile", "writefile"}

// isBlock reports whether a tag of this name, in lower case, opens a block.
func isBlock(word string) bool { return word == blockTags[0] || word == blockTags[1] }

// Blocks finds the blocks of a text outside of code. In a text that is still coming the
// last one may not be closed; the beginning of its tag is enough.
func Blocks(text string) (all []Block) {
	var code md.Fences
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if _, in := md.Indent(line); !code.Inside(line) {
			if b, ok := blockAt(text, at+in); ok {
				b.From = at
				all = append(all, b)
				at = b.To
				if rest, _, _ := strings.Cut(text[at:], "\n"); strings.TrimSpace(rest) == "" {
					at = min(at+len(rest)+1, len(text))
				}
				continue
			}
		}
		code.Line(strings.TrimSuffix(line, "\r"))
		at += len(line) + 1
	}
	return all
}

// blockAt reads the block that begins at a place in a text.
func blockAt(text string, at int) (b Block, ok bool) {
	rest := text[at:]
	for _, tag := range blockTags {
		open := "<" + tag + ">"
		if !foldPrefix(rest, open) {
			if n := len(rest); n > 2 && n < len(open) && foldPrefix(open, rest) { // the text ends in the tag
				return Block{To: len(text), Err: "is not closed"}, true
			}
			continue
		}
		body := rest[len(open):]
		b, n := readBlock(body, "</"+tag+">")
		b.To = at + len(open) + n
		return b, true
	}
	return b, false
}

// readBlock reads what stands behind the tag that opens a block, up to its end; n is
// how long that is.
func readBlock(body, end string) (b Block, n int) {
	from, inner := between(body, "<content>")
	last := foldIndex(body, end)
	switch {
	case last >= 0 && (from < 0 || last < from):
		b.Err, n = "has no content", last+len(end)
		b.Path = textOf(body[:last], "path")
		return b, n
	case from < 0:
		return Block{Path: textOf(body, "path"), Err: "is not closed"}, len(body)
	}
	b.Path = textOf(body[:from], "path")
	for at := inner; ; {
		i := foldIndex(body[at:], "</content>")
		if i < 0 {
			break
		}
		at += i
		behind := body[at+len("</content>"):]
		blank := len(behind) - len(strings.TrimLeft(behind, " \t\r\n"))
		if foldPrefix(behind[blank:], end) {
			b.Content = strings.TrimPrefix(strings.TrimPrefix(body[inner:at], "\r"), "\n")
			if b.Path == "" {
				b.Err = "names no path"
			}
			return b, at + len("</content>") + blank + len(end)
		}
		at++
	}
	b.Err = "is not closed"
	return b, len(body)
}

// between is where a tag stands, and where what follows it begins; -1 if it does not.
func between(text, tag string) (from, inner int) {
	from = foldIndex(text, tag)
	return from, from + len(tag)
}

// textOf is what stands in the first pair of tags of a name.
func textOf(text, name string) string {
	from, inner := between(text, "<"+name+">")
	if from < 0 {
		return ""
	}
	if to := foldIndex(text[inner:], "</"+name+">"); to >= 0 {
		return strings.TrimSpace(text[inner : inner+to])
	}
	return ""
}

// foldIndex is where a tag stands in a text, in any case, -1 if it does not.
func foldIndex(text, tag string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return -1
		}
		if at += i; foldPrefix(text[at:], tag) {
			return at
		}
	}
}

func foldPrefix(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
