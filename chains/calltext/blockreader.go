package calltext

import (
	"strings"

	"ibid/vault/md"
)

// Blocks finds the blocks of a text outside of code. In a text that is still coming the
// last one may not be closed; the beginning of its tag is enough.
func Blocks(text string) (all []Block) {
	r := BlockReader{Draw: func(b Block, _ string) string {
		all = append(all, b)
		return ""
	}}
	r.Write(text)
	r.Close()
	return all
}

// BlockReader finds the blocks of a text that comes in pieces, cut anywhere. What a
// piece costs follows its own length.
type BlockReader struct {
	Draw func(b Block, raw string) string // what is shown in place of a block

	code  md.Fences
	from  int             // where text begins, in all of it
	text  strings.Builder // the line so far; of a block that is open, all of it
	shown int             // bytes of the line that were given out
	plain bool            // no block begins in the line
	in    int             // white space that the line begins with, in bytes
	after bool            // the line began in front, with a block that ended
	block openBlock
}

// openBlock is a block that has begun.
type openBlock struct {
	end        string // the tag that closes it, "" if none is open
	from       int    // where its text begins behind the tag that opens it
	scan       int    // how far it was looked at
	inner      int    // where its content begins, 0 before it does
	last       int    // where a tag stands that may be the end of its content, 0 for none
	open       int    // where a tag ends that may open a block in its content, 0 for none
	depth      int    // how many blocks in its content are open
	path       string
	attributes bool // the tag that opens it has some
	lines      int  // ends of lines in the content so far, and the one in front of it
}

// Writing is the note that a block is being written for, and how many whole lines of
// it have come. Its path is "" while that is not known.
func (r *BlockReader) Writing() (path string, lines int, open bool) {
	return r.block.path, max(r.block.lines-1, 0), r.block.end != ""
}

// Write takes in the next piece. It returns what can be shown now.
func (r *BlockReader) Write(piece string) string {
	var out strings.Builder
	for piece != "" {
		if r.block.end != "" {
			r.text.WriteString(piece)
			piece = r.closeBlock(&out)
			continue
		}
		line, rest, whole := strings.Cut(piece, "\n")
		if whole {
			line = piece[:len(line)+1]
		}
		r.text.WriteString(line)
		if !r.plain && r.openBlock(whole) {
			behind := r.text.Len() - r.block.from // in this line, and of this piece
			piece = piece[len(line)-behind:]
			r.cut(r.block.from)
			continue
		}
		piece = rest
		if r.plain {
			out.WriteString(r.text.String()[r.shown:])
			r.shown = r.text.Len()
		}
		if whole {
			r.endLine()
		}
	}
	return out.String()
}

// cut drops what stands behind the first n bytes of the text.
func (r *BlockReader) cut(n int) {
	text := r.text.String()[:n]
	r.text.Reset()
	r.text.WriteString(text)
}

// endLine begins the next line.
func (r *BlockReader) endLine() {
	text := r.text.String()
	if line := strings.TrimSuffix(text, "\n"); !r.after || strings.TrimSpace(line) != "" {
		r.code.Line(strings.TrimSuffix(line, "\r"))
	}
	r.begin(len(text))
	r.after = false
}

// begin goes on behind the first n bytes of the text.
func (r *BlockReader) begin(n int) {
	r.from += n
	r.text.Reset()
	r.shown, r.plain, r.in, r.block = 0, false, 0, openBlock{}
}

// openBlock reports whether a block begins in the line so far. It is plain if none can.
func (r *BlockReader) openBlock(whole bool) bool {
	line := r.text.String()
	for r.in < len(line) && (line[r.in] == ' ' || line[r.in] == '\t') {
		r.in++
	}
	tag := line[r.in:]
	for _, name := range blockTags {
		n, attributes := tagEnd(tag, "<"+name)
		switch {
		case n > 0:
			if r.plain = r.isCode(line[:r.in]); !r.plain {
				from := r.in + n
				r.block = openBlock{end: "</" + name + ">", from: from, scan: from, attributes: attributes}
			}
			return !r.plain
		case n == 0 && !whole:
			return false // the rest of the tag may come
		}
	}
	r.plain = true
	return false
}

// tagEnd is where the tag that opens with these letters ends in a text that begins with
// it, and whether it has attributes; 0 if the rest of it may come, -1 for another text.
func tagEnd(text, open string) (n int, attributes bool) {
	if len(text) <= len(open) {
		if foldPrefix(open, text) {
			return 0, false
		}
		return -1, false
	}
	rest := text[len(open):]
	if !foldPrefix(text, open) || !strings.ContainsRune("> \t", rune(rest[0])) {
		return -1, false
	}
	i := strings.IndexByte(rest, '>')
	if i < 0 {
		return 0, false
	}
	return len(open) + i + 1, strings.Trim(rest[:i], " \t") != ""
}

// isCode reports whether a tag behind white space in the next line is in code. Outside of
// lists so much white space is meant as code, also below a line of text.
func (r *BlockReader) isCode(before string) bool {
	switch r.code.KindBehind(before) {
	case md.FencedLine, md.IndentedLine:
		return true
	}
	return !r.code.InList() && (len(before) > 3 || strings.Contains(before, "\t"))
}

// closeBlock looks for the end of the block. It draws one that ended, and returns what
// stands behind it.
func (r *BlockReader) closeBlock(out *strings.Builder) (rest string) {
	b, text := &r.block, r.text.String()
	for {
		i := strings.IndexByte(text[b.scan:], '<')
		if i < 0 {
			b.count(text, len(text))
			return ""
		}
		b.count(text, b.scan+i)
		n, done := b.tag(text)
		switch {
		case done:
			r.finish(out, n, b.found(text, n))
			return text[n:]
		case n == 0:
			return "" // the rest of the tag may come
		}
	}
}

// count goes on to a place in the text, and counts the lines up to there.
func (b *openBlock) count(text string, to int) {
	if b.inner > 0 {
		b.lines += strings.Count(text[b.scan:to], "\n")
	}
	b.scan = to
}

// tag reads what may be a tag at scan. It returns where the block ends if done, else 0
// if more of the text is needed to know.
func (b *openBlock) tag(text string) (n int, done bool) {
	const content, last = "<content>", "</content>"
	rest := text[b.scan:]
	if b.inner == 0 {
		switch {
		case foldPrefix(rest, content):
			b.path = pathIn(text[b.from:b.scan])
			b.scan += len(content)
			b.inner, b.lines = b.scan, 0
			return b.scan, false
		case foldPrefix(rest, b.end):
			return b.scan + len(b.end), true
		case foldPrefix(content, rest), foldPrefix(b.end, rest):
			return 0, false
		}
		b.scan++
		return b.scan, false
	}
	blank := func(from int) bool { return from > 0 && strings.TrimLeft(text[from:b.scan], between) == "" }
	open := "<" + strings.TrimPrefix(b.end, "</")
	switch {
	case b.last > 0 && foldPrefix(rest, b.end) && (blank(b.last+len(last)) || b.onlyPath(text[b.last+len(last):b.scan])):
		if b.depth == 0 {
			if b.path == "" {
				b.path = pathIn(text[b.last:b.scan])
			}
			return b.scan + len(b.end), true
		}
		b.depth, b.last = b.depth-1, 0
	case foldPrefix(rest, last):
		b.last = b.scan
	case foldPrefix(rest, open):
		b.open = b.scan + len(open)
	case blank(b.open) && (foldPrefix(rest, "<path>") || foldPrefix(rest, content)):
		b.depth, b.open = b.depth+1, 0
	case foldPrefix(last, rest), foldPrefix(b.end, rest), foldPrefix(open, rest), foldPrefix("<path>", rest), foldPrefix(content, rest):
		return 0, false
	}
	b.scan++
	return b.scan, false
}

// onlyPath reports whether a text between the content and the end of a block is its path,
// which no other one stands in front of.
func (b *openBlock) onlyPath(text string) bool {
	const first, last = "<path>", "</path>"
	text = strings.Trim(text, between)
	return (b.path == "" || b.depth > 0) && foldPrefix(text, first) && foldIndex(text, last) == len(text)-len(last)
}

// between is what may stand between tags.
const between = " \t\r\n"

// found is the block that ends at n.
func (b *openBlock) found(text string, n int) Block {
	switch {
	case b.attributes:
		return Block{Path: b.path, Err: "has attributes in its tag, and its path belongs into <path>"}
	case b.inner == 0:
		return Block{Path: pathIn(text[b.from : n-len(b.end)]), Err: "has no content"}
	case b.path == "":
		return Block{Content: b.content(text), Err: "names no path"}
	case strings.TrimSpace(b.content(text)) == "":
		return Block{Path: b.path, Err: "has no content"}
	}
	return Block{Path: b.path, Content: b.content(text)}
}

// content is what the note is to hold: without the line end behind the tag.
func (b *openBlock) content(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text[b.inner:b.last], "\r"), "\n")
}

// finish draws a block whose text has n bytes, and goes on behind it.
func (r *BlockReader) finish(out *strings.Builder, n int, b Block) {
	b.From, b.To = r.from, r.from+n
	out.WriteString(r.Draw(b, r.text.String()[:n]))
	r.begin(n)
	r.after = true
}

// Close ends the text. It returns what was held back of it.
func (r *BlockReader) Close() string {
	var out strings.Builder
	text := r.text.String()
	tag := strings.ToLower(text[min(r.in, len(text)):])
	begun := len(tag) > 2 && !r.plain && !r.isCode(text[:r.in])
	switch b := &r.block; {
	case b.end != "":
		path := b.path
		if b.inner == 0 {
			path = pathIn(text[b.from:])
		}
		r.finish(&out, len(text), Block{Path: path, Err: notClosed})
	case begun:
		r.finish(&out, len(text), Block{Err: notClosed})
	default:
		out.WriteString(text[r.shown:])
		r.begin(len(text))
	}
	return out.String()
}

// notClosed is what is wrong with a block at the end of a text.
const notClosed = "is not closed"
