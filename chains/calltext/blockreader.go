package calltext

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
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
	from  int    // where text begins, in all of it
	text  []byte // from the beginning of the line or the block on
	shown int    // bytes of the line that were given out
	plain bool   // no block begins in the line
	after bool   // the line began in front, with a block that ended
	block openBlock
	out   strings.Builder // what Write returns
}

// openBlock is a block that has begun.
type openBlock struct {
	name       string // of its tag, "" if none is open
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
	return r.block.path, max(r.block.lines-1, 0), r.block.name != ""
}

// Write takes in the next piece. It returns what can be shown now.
func (r *BlockReader) Write(piece string) string {
	r.text = append(r.text, piece...)
	for r.block.name != "" && r.closeBlock() || r.block.name == "" && r.line() {
	}
	return r.take()
}

func (r *BlockReader) take() string {
	out := r.out.String()
	r.out.Reset()
	return out
}

// line takes in what came of a line. It reports whether more stands behind that.
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

// begin goes on behind the first n bytes of the text.
func (r *BlockReader) begin(n int) {
	r.from, r.text = r.from+n, r.text[n:]
	r.shown, r.plain, r.block = 0, false, openBlock{}
}

// blockTag opens a block, at the beginning of a line.
var blockTag = regexp.MustCompile("(?i)^<(" + strings.Join(blockTags, "|") + ")(?:[ \t]([^>]*))?>")

// openBlock reports whether a block begins in the line so far. It is plain if none can.
func (r *BlockReader) openBlock(line string, whole bool) bool {
	tag := strings.TrimLeft(line, " \t")
	in := len(line) - len(tag)
	m := blockTag.FindStringSubmatch(tag)
	if m == nil {
		r.plain = whole || !mayOpenBlock(tag)
		return false
	}
	if r.plain = r.isCode(line[:in]); r.plain {
		return false
	}
	in += len(m[0])
	r.block = openBlock{name: m[1], from: in, scan: in, attributes: strings.TrimSpace(m[2]) != ""}
	return true
}

// mayOpenBlock reports whether this may become a tag that opens a block.
func mayOpenBlock(tag string) bool {
	begun := func(name string) bool { return foldPrefix("<"+name, tag) }
	return slices.ContainsFunc(blockTags, begun) || blockTag.MatchString(tag+">")
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

// closeBlock looks for the end of the block, and draws one that ended. It reports whether
// it has.
func (r *BlockReader) closeBlock() bool {
	b := &r.block
	for {
		i := bytes.IndexByte(r.text[b.scan:], '<')
		if i < 0 {
			b.count(r.text, len(r.text))
			return false
		}
		b.count(r.text, b.scan+i)
		tag, whole := b.tag(r.text[b.scan:])
		if !whole {
			return false
		}
		if b.take(r.text, tag) {
			r.finish(b.scan, b.found(r.text))
			return true
		}
	}
}

// count goes on to a place in the text, and counts the lines up to there.
func (b *openBlock) count(text []byte, to int) {
	if b.inner > 0 {
		b.lines += bytes.Count(text[b.scan:to], []byte("\n"))
	}
	b.scan = to
}

// The tags in a block.
const (
	pathTag    = "<path>"
	contentTag = "<content>"
	contentEnd = "</content>"
)

// tag is the one of the tags of the block that a text begins with, "" if it does with
// none; more of it may be needed to know.
func (b *openBlock) tag(text []byte) (tag string, whole bool) {
	begin := string(text[:min(len(text), len("</writeToFile>"))])
	for _, tag := range [...]string{pathTag, contentTag, contentEnd, "<" + b.name + ">", "</" + b.name + ">"} {
		if foldPrefix(begin, tag) {
			return tag, true
		}
		if foldPrefix(tag, begin) {
			return "", false
		}
	}
	return "", true
}

// take goes on behind a tag, and reports whether it ends the block.
func (b *openBlock) take(text []byte, tag string) (ends bool) {
	at := b.scan
	b.scan += max(len(tag), 1)
	end := tag == "</"+b.name+">"
	switch opens := b.open > 0 && len(bytes.TrimSpace(text[b.open:at])) == 0; {
	case b.inner == 0:
		if tag == contentTag {
			b.path, b.inner = pathIn(text[b.from:at]), b.scan
		}
		return end
	case end && b.last > 0 && b.behind(string(text[b.last+len(contentEnd):at])):
		if b.depth == 0 {
			b.path = cmp.Or(b.path, pathIn(text[b.last:at]))
			return true
		}
		b.depth, b.last = b.depth-1, 0
	case tag == contentEnd:
		b.last = at
	case tag == "<"+b.name+">":
		b.open = b.scan
	case opens && (tag == pathTag || tag == contentTag):
		b.depth, b.open = b.depth+1, 0
	}
	return false
}

// behind reports whether a text may stand between the content and the end of a block:
// white space, and its path if no other one stands in front of it.
func (b *openBlock) behind(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || (b.path == "" || b.depth > 0) && pathAlone.MatchString(text)
}

// found is the block that has ended.
func (b *openBlock) found(text []byte) Block {
	if b.attributes {
		return Block{Path: b.path, Err: "has attributes in its tag, and its path belongs into <path>"}
	}
	if b.inner == 0 {
		return Block{Path: pathIn(text[b.from:b.scan]), Err: "has no content"}
	}
	// Without the line end behind the tag.
	content := strings.TrimPrefix(strings.TrimPrefix(string(text[b.inner:b.last]), "\r"), "\n")
	switch {
	case b.path == "":
		return Block{Content: content, Err: "names no path"}
	case strings.TrimSpace(content) == "":
		return Block{Path: b.path, Err: "has no content"}
	}
	return Block{Path: b.path, Content: content}
}

// finish draws a block whose text has n bytes, and goes on behind it.
func (r *BlockReader) finish(n int, b Block) {
	b.From, b.To = r.from, r.from+n
	r.out.WriteString(r.Draw(b, string(r.text[:n])))
	r.begin(n)
	r.after = true
}

// Close ends the text. It returns what was held back of it.
func (r *BlockReader) Close() string {
	b, tag := &r.block, bytes.TrimLeft(r.text, " \t")
	begun := len(tag) > 2 && !r.plain && !r.isCode(string(r.text[:len(r.text)-len(tag)]))
	if b.name == "" && !begun {
		r.out.Write(r.text[r.shown:])
		r.begin(len(r.text))
		return r.take()
	}
	if b.inner == 0 {
		b.path = pathIn(r.text[b.from:])
	}
	r.finish(len(r.text), Block{Path: b.path, Err: "is not closed"})
	return r.take()
}
