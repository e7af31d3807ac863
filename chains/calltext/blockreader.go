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

// Blocks returns the blocks of a text that are outside of code. If the text is incomplete, the last block may not
// be closed; the beginning of its tag is enough.
func Blocks(text string) (all []Block) {
	r := BlockReader{Draw: func(b Block, _ string) string {
		all = append(all, b)
		return ""
	}}
	r.Write(text)
	r.Close()
	return all
}

// BlockReader finds the blocks of a text that comes in pieces, cut anywhere. The time for a piece is proportional
// to its length.
type BlockReader struct {
	Draw func(b Block, raw string) string // returns the text that replaces a block

	code  md.Fences
	from  int    // offset of text in the whole text
	text  []byte // from the beginning of the line or block
	shown int    // bytes of the line that were returned
	plain bool   // no block begins in the line
	after bool   // a block ended at the beginning of the line
	block openBlock
	out   strings.Builder // result of the next Write
}

// openBlock is a block that has begun. Its offsets refer to the reader's text.
type openBlock struct {
	word       string // name of its tag in lower case, "" if no block is open
	from       int    // end of the opening tag
	seen       int    // end of the text that was read
	tag        int    // end of the last tag that began the content or closed a block
	inner      int    // start of the content, 0 before it begins
	depth      int    // number of open blocks within the content
	path       string
	attributes bool // the opening tag has attributes
	lines      int  // line ends in the content so far, with the one before it
}

// Writing returns the progress of the open block, with the number of its complete lines, "" if none is open.
func (r *BlockReader) Writing() string {
	switch b := r.block; {
	case b.word == "":
		return ""
	case b.path == "":
		return "writing a note"
	default:
		return "writing " + b.path + ", " + md.Plural(max(b.lines-1, 0), "line") + " so far"
	}
}

// Write takes the next piece and returns the text that can be shown.
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
	r.from, r.text = r.from+n, r.text[n:]
	r.shown, r.plain, r.block = 0, false, openBlock{}
}

// blockTag matches the tag that opens a block, at the beginning of a line.
var blockTag = regexp.MustCompile("(?i)^<(" + strings.Join(blockTags, "|") + ")(?:[ \t]([^>]*))?>")

// openBlock reports whether a block begins in the line so far, and sets plain if none can.
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

// mayOpenBlock reports whether tag may become a tag that opens a block.
func mayOpenBlock(tag string) bool {
	begun := func(name string) bool { return foldPrefix("<"+name, tag) }
	return slices.ContainsFunc(blockTags, begun) || blockTag.MatchString(tag+">")
}

// isCode reports whether a tag after white space in the next line is in code. Outside of lists, deep indentation
// means code even after a line of text, where markdown would continue the paragraph.
func (r *BlockReader) isCode(before string) bool {
	switch r.code.KindBehind(before) {
	case md.FencedLine, md.IndentedLine:
		return true
	}
	return !r.code.InList() && (len(before) > 3 || strings.Contains(before, "\t"))
}

// Patterns for the tags within a block, by its tag: the beginning of the content and the end of the block, and the
// beginnings of other blocks in the content.
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

// closeBlock looks for the end of the block, and draws the block if it has ended. It reports whether it has.
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
		if block, ended := b.handleTag(r.text, at); ended {
			r.finish(b.seen, block)
			return true
		}
	}
}

// read moves to an offset in the text and counts the lines up to there.
func (b *openBlock) read(text []byte, to int) {
	if b.inner > 0 {
		b.lines += bytes.Count(text[b.seen:to], []byte("\n"))
	}
	b.seen = to
}

// handleTag handles the last tag, and returns the block if the tag ends it.
func (b *openBlock) handleTag(text []byte, at int) (block Block, ended bool) {
	switch ends, part := text[at+1] == '/', text[b.tag:at]; {
	case b.inner == 0:
		b.path, b.tag = pathIn(part), b.seen
		if b.inner = b.seen; ends {
			b.inner = 0
			return b.finishedBlock(""), true
		}
	case ends:
		b.tag, b.depth = b.seen, b.depth+len(blockBegins[b.word].FindAllIndex(part, -1))
		behind := contentEnd.FindSubmatchIndex(part)
		switch own := b.depth == 0; {
		case behind == nil, own && b.path != "" && behind[2] >= 0: // a block has only one path
		case own:
			b.path = cmp.Or(b.path, pathIn(part[behind[0]:]))
			return b.finishedBlock(string(text[b.inner : at-len(part)+behind[0]])), true
		default:
			b.depth--
		}
	}
	return block, false
}

// finishedBlock returns the block that has ended, with this content.
func (b *openBlock) finishedBlock(content string) (block Block) {
	block.Path = b.path
	// the tag is followed by a line end
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

// finish draws a block of n bytes and continues after it.
func (r *BlockReader) finish(n int, b Block) {
	b.From, b.To = r.from, r.from+n
	r.out.WriteString(r.Draw(b, string(r.text[:n])))
	r.begin(n)
	r.after = true
}

// Close ends the text and returns the rest.
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
