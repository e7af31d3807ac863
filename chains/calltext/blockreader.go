package calltext

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"ibid/vault/md"
)

// Blocks returns the blocks of a text that are outside of code. If the text is incomplete, the last one may not be
// closed.
func Blocks(text string) (all []Block) {
	replaceBlocks(text, func(b Block, _ string) string {
		all = append(all, b)
		return ""
	})
	return all
}

// replaceBlocks returns a text with its blocks replaced.
func replaceBlocks(text string, draw func(b Block, raw string) string) string {
	r := BlockReader{Draw: draw}
	return r.Write(text) + r.Close()
}

// BlockReader finds the blocks of a text that comes in pieces, cut anywhere. The time for a piece is proportional
// to its length.
type BlockReader struct {
	Draw func(b Block, raw string) string // returns the text that replaces a block

	code  md.Fences
	text  []byte          // from the beginning of the line or block
	shown int             // bytes of the line that were returned
	plain bool            // no block begins in the line
	after bool            // a block ended at the beginning of the line
	over  bool            // no more blocks begin: where one with others in it ends cannot be known
	seen  int             // end of the part of the open block that was read, 0 if none is open
	lines int             // line ends in that part
	out   strings.Builder // result of the next Write
}

// Writing returns the progress of the open block, with the number of its complete lines, "" if none is open.
func (r *BlockReader) Writing() string {
	const tags, head = 3, 1000 // lines of the tags around the path and before the content, and bytes with the path
	if r.seen == 0 {
		return ""
	}
	path := pathIn(string(r.text[:min(r.seen, head)]))
	if path == "" {
		return "writing a note"
	}
	return "writing " + path + ", " + md.Plural(max(r.lines-tags, 0), "line") + " so far"
}

// Write takes the next piece and returns the text that can be shown.
func (r *BlockReader) Write(piece string) string {
	r.text = append(r.text, piece...)
	for r.seen > 0 && r.closeBlock() || r.seen == 0 && r.line() {
	}
	return r.take()
}

func (r *BlockReader) take() string {
	out := r.out.String()
	r.out.Reset()
	return out
}

// line handles the text of a line so far. It reports whether more text follows it.
func (r *BlockReader) line() bool {
	end := bytes.IndexByte(r.text[r.shown:], '\n') + 1
	whole := end > 0
	if end += r.shown; !whole {
		end = len(r.text)
	}
	line := string(r.text[r.shown:end])
	if !r.plain && r.openBlock(line, whole) {
		return true
	}
	if r.plain {
		r.out.WriteString(line)
		r.shown = end
	}
	if whole {
		if text := strings.TrimRight(string(r.text[:end]), "\r\n"); !r.after || strings.TrimSpace(text) != "" {
			r.code.Line(text)
		}
		r.begin(end)
		r.after = false
	}
	return whole
}

// begin drops the first n bytes of the text and starts a line there.
func (r *BlockReader) begin(n int) {
	r.text = r.text[n:]
	r.shown, r.plain, r.seen, r.lines = 0, false, 0, 0
}

// blockTag matches the tag that opens a block, at the beginning of a line, and blockEnd the one that closes it.
var (
	blockTag = regexp.MustCompile("(?i)^<(?:" + strings.Join(blockTags, "|") + ")(?:[ \t]([^>]*))?>")
	blockEnd = regexp.MustCompile("(?i)</(?:" + strings.Join(blockTags, "|") + ")>")
)

// openBlock reports whether a block begins in the line so far, and sets plain if none can.
func (r *BlockReader) openBlock(line string, whole bool) bool {
	tag := strings.TrimLeft(line, " \t")
	in := len(line) - len(tag)
	mark := blockTag.FindString(tag)
	if mark == "" {
		r.plain = whole || !mayOpenBlock(tag)
		return false
	}
	r.plain = r.over || isCode(&r.code, line[:in])
	if r.plain {
		return false
	}
	r.seen = in + len(mark)
	return true
}

// mayOpenBlock reports whether tag may become a tag that opens a block.
func mayOpenBlock(tag string) bool {
	begun := func(name string) bool { return foldPrefix("<"+name, tag) }
	return slices.ContainsFunc(blockTags, begun) || blockTag.MatchString(tag+">")
}

// OpensBlock reports whether a line begins with the tag that opens a block. code is the state before the line.
func OpensBlock(code *md.Fences, line string) bool {
	tag := strings.TrimLeft(line, " \t")
	return blockTag.MatchString(tag) && !isCode(code, line[:len(line)-len(tag)])
}

// ClosesBlock reports whether the tag that closes a block stands in a line.
func ClosesBlock(line string) bool { return blockEnd.MatchString(line) }

// isCode reports whether a tag after white space in the next line is in code. Outside of lists, deep indentation
// means code even after a line of text, where markdown would continue the paragraph.
func isCode(code *md.Fences, before string) bool {
	switch code.KindBehind(before) {
	case md.FencedLine, md.IndentedLine:
		return true
	}
	return !code.InList() && (len(before) > 3 || strings.Contains(before, "\t"))
}

// closeBlock looks for the end of the block, and draws the block if it has ended. It reports whether it has.
func (r *BlockReader) closeBlock() bool {
	from := max(r.seen-len("</"+BlockTool+">"), 0) // the tag may have been cut
	end := blockEnd.FindIndex(r.text[from:])
	if end == nil {
		r.lines += bytes.Count(r.text[r.seen:], []byte("\n"))
		r.seen = len(r.text)
		return false
	}
	n := from + end[1]
	b := parseBlock(strings.TrimLeft(string(r.text[:n]), " \t"))
	r.over = b.Err == nestedError
	r.finish(n, b)
	return true
}

// The parts of a block, whose path may follow the content, and the beginning of another block.
var (
	blockForm = regexp.MustCompile(
		`(?is)^<[^>]*>\s*(?:<path>(.*?)</path>)?\s*<content>\r?\n?(.*)</content>\s*(?:<path>([^<]*)</path>)?\s*</\w+>$`)
	blockBegins = regexp.MustCompile("(?i)<(?:" + strings.Join(blockTags, "|") + `)>\s*<(?:path|content)>`)
)

const nestedError = "contains another one"

// parseBlock parses a block that has ended.
func parseBlock(text string) (b Block) {
	m := blockForm.FindStringSubmatch(text)
	if m == nil {
		m = []string{"", pathIn(text), "", ""}
	}
	b.Path = strings.TrimSpace(cmp.Or(m[1], m[3]))
	switch content := m[2]; {
	case blockBegins.MatchString(text[1:]):
		b.Err = nestedError
	case strings.TrimSpace(blockTag.FindStringSubmatch(text)[1]) != "":
		b.Err = "has attributes in its tag, and its path belongs into <path>"
	case strings.TrimSpace(content) == "":
		b.Err = "has no content"
	case b.Path == "":
		b.Err = "names no path"
	default:
		b.Content = content
	}
	return b
}

// finish draws a block of n bytes and continues after it.
func (r *BlockReader) finish(n int, b Block) {
	r.out.WriteString(r.Draw(b, string(r.text[:n])))
	r.begin(n)
	r.after = true
}

// Close ends the text and returns the rest.
func (r *BlockReader) Close() string {
	if r.seen > 0 {
		r.finish(len(r.text), Block{Path: pathIn(string(r.text)), Err: "is not closed"})
	} else {
		r.out.Write(r.text[r.shown:])
		r.begin(len(r.text))
	}
	return r.take()
}
