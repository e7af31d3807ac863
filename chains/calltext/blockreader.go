package calltext

import (
	"bytes"
	"cmp"
	"fmt"
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

// openBlock is a block that has begun. Its places are bytes of the reader's text.
type openBlock struct {
	word       string // of its tag, in lower case, "" if none is open
	from       int    // where its text begins behind the tag that opens it
	seen       int    // how far it was read
	tag        int    // where the last tag in it ends that begins its content or ends a block
	inner      int    // where its content begins, 0 before it does
	depth      int    // how many blocks in its content are open
	path       string
	attributes bool // the tag that opens it has some
	lines      int  // ends of lines in the content so far, and the one in front of it
}

// Writing is the note that a block is being written for, and how many whole lines of
// it have come. Its path is "" while that is not known.
func (r *BlockReader) Writing() (path string, lines int, open bool) {
	return r.block.path, max(r.block.lines-1, 0), r.block.word != ""
}

// Write takes in the next piece. It returns what can be shown now.
func (r *BlockReader) Write(piece string) string {
	r.text = append(r.text, piece...)
	for r.block.word != "" && r.closeBlock() || r.block.word == "" && r.line() {
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
	r.block = openBlock{
		word: strings.ToLower(m[1]), from: in, seen: in, tag: in,
		attributes: strings.TrimSpace(m[2]) != "",
	}
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

// The tags in a block, by the word of its own: what its content begins with and what ends
// it, and the beginnings of other blocks in its content.
var (
	blockMarks  = byBlockTag(`(?i)<content>|</%s>`)
	blockBegins = byBlockTag(`(?i)<%s>\s*<(?:path|content)>`)
	contentEnd  = regexp.MustCompile(`(?i)</content>\s*(<path>(?:[^<]*</path>)?)?\s*$`)
)

func byBlockTag(pattern string) map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, word := range blockTags {
		all[word] = regexp.MustCompile(fmt.Sprintf(pattern, word))
	}
	return all
}

// closeBlock looks for the end of the block, and draws one that ended. It reports whether
// it has.
func (r *BlockReader) closeBlock() bool {
	b := &r.block
	for {
		mark := blockMarks[b.word].FindIndex(r.text[b.seen:])
		if mark == nil {
			end := b.seen + bytes.LastIndexByte(r.text[b.seen:], '<')
			if end < b.seen || len(r.text)-end > len("</writeToFile>") {
				end = len(r.text)
			}
			b.read(r.text, end)
			return false
		}
		at := b.seen + mark[0]
		b.read(r.text, b.seen+mark[1])
		if block, ended := b.take(r.text, at); ended {
			r.finish(b.seen, block)
			return true
		}
	}
}

// read goes on to a place in the text, and counts the lines up to there.
func (b *openBlock) read(text []byte, to int) {
	if b.inner > 0 {
		b.lines += bytes.Count(text[b.seen:to], []byte("\n"))
	}
	b.seen = to
}

// take takes in the tag that was read last, and returns the block if that ends with it.
func (b *openBlock) take(text []byte, at int) (block Block, ended bool) {
	switch ends, part := text[at+1] == '/', text[b.tag:at]; {
	case b.inner == 0:
		b.path, b.tag = pathIn(part), b.seen
		if b.inner = b.seen; ends {
			b.inner = 0
			return b.found(""), true
		}
	case ends:
		b.tag, b.depth = b.seen, b.depth+len(blockBegins[b.word].FindAllIndex(part, -1))
		behind := contentEnd.FindSubmatchIndex(part)
		switch own := b.depth == 0; {
		case behind == nil, own && b.path != "" && behind[2] >= 0: // only one path can be its own
		case own:
			b.path = cmp.Or(b.path, pathIn(part[behind[0]:]))
			return b.found(string(text[b.inner : at-len(part)+behind[0]])), true
		default:
			b.depth--
		}
	}
	return block, false
}

// found is the block that has ended, of this content.
func (b *openBlock) found(content string) (block Block) {
	block.Path = b.path
	// Without the line end behind the tag.
	content = strings.TrimPrefix(strings.TrimPrefix(content, "\r"), "\n")
	switch empty := strings.TrimSpace(content) == ""; {
	case b.attributes:
		block.Err = "has attributes in its tag, and its path belongs into <path>"
	case empty && (b.inner == 0 || b.path != ""):
		block.Err = "has no content"
	default:
		if block.Content = content; b.path == "" {
			block.Err = "names no path"
		}
	}
	return block
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
	if b.word == "" && !begun {
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
