package edit

import (
	"regexp"
	"slices"
	"strings"

	"ibid/vault/md"
)

// page is a text as lines and blocks.
type page struct {
	lines  []string // without their ends
	front  int      // number of lines of the properties
	tail   int      // number of lines above what a plugin keeps at the end
	blocks []block
}

// block is a block with its lines: those from number from on, counted from 0, up to the one before to.
type block struct {
	md.Block
	from, to int
	lines    []string
}

// newNotePage divides a note. Its line ends are LF.
func newNotePage(text string) *page {
	properties, start, _ := md.Frontmatter(text)
	p := parsePage(text, start)
	p.tail = min(p.tail, p.pluginTail(properties))
	return p
}

// newPage divides a text that has no properties. Its line ends are LF.
func newPage(text string) *page { return parsePage(text, 0) }

func parsePage(text string, start int) *page {
	p := &page{lines: splitLines(text), front: len(splitLines(text[:start]))}
	p.tail = len(p.lines)
	line, offset := 0, 0
	for b := range md.AllBlocks(text, start) {
		line += strings.Count(text[offset:b.Start], "\n")
		offset = b.Start
		to := line + len(splitLines(text[b.Start:b.End]))
		for isBlank(p.lines[to-1]) { // a block that is open goes on to the end of the text
			to--
		}
		p.blocks = append(p.blocks, block{b, line, to, p.lines[line:to]})
	}
	return p
}

// splitLines returns the lines of a text with LF, without their ends.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// blockAround returns the block that the end of line n divides, nil if there is none.
func (p *page) blockAround(n int) *block {
	if b := p.blockAbove(n); b != nil && b.to > n {
		return b
	}
	return nil
}

// blockAbove returns the last block that begins above the end of line n, nil if there is none.
func (p *page) blockAbove(n int) *block {
	for i := range slices.Backward(p.blocks) {
		if p.blocks[i].from < n {
			return &p.blocks[i]
		}
	}
	return nil
}

// blockBelow returns the first block that begins below the end of line n, nil if there is none.
func (p *page) blockBelow(n int) *block {
	for i := range p.blocks {
		if p.blocks[i].from >= n {
			return &p.blocks[i]
		}
	}
	return nil
}

// startsLikeProperties reports whether the first line is one that begins properties, but the text has none.
func (p *page) startsLikeProperties() bool {
	_, _, ok := md.Frontmatter(strings.Join(p.lines, "\n"))
	return strings.TrimRight(p.lines[0], " \t") == "---" && !ok
}

// isCallout reports whether a quotation begins a callout.
func (b *block) isCallout() bool {
	_, inside := unquote(b.lines[:1])
	return b.Kind == md.Quote && strings.HasPrefix(strings.TrimSpace(inside[0]), "[!")
}

// endsInTable reports whether a block is a table, or a quotation with a table at its end. depth counts the quotations
// around it.
func (b *block) endsInTable(depth int) bool {
	if b.Kind != md.Quote || depth == maxQuoted {
		return b.Kind == md.Table
	}
	_, inside := unquote(b.lines)
	blocks := newPage(strings.Join(inside, "\n")).blocks
	return len(blocks) > 0 && blocks[len(blocks)-1].endsInTable(depth+1)
}

// isBlockID reports whether a block is the id of the block above it.
func (b *block) isBlockID() bool {
	_, before, ok := md.BlockID(strings.TrimSpace(b.lines[0]))
	return ok && before == "" && len(b.lines) == 1
}

// isRowOf reports whether all lines of a block are rows for a table: lines that begin with a bar, or that have as many
// bars as the rows of a table whose rows do not begin with one.
func (b *block) isRowOf(table *block) bool {
	if table.Kind != md.Table || b.Kind != md.Paragraph {
		return false
	}
	header := strings.TrimSpace(table.lines[0])
	for _, line := range b.lines {
		line = strings.TrimSpace(line)
		isLikeHeader := !strings.HasPrefix(header, "|") && countBars(line) == countBars(header)
		if !strings.HasPrefix(line, "|") && !isLikeHeader {
			return false
		}
	}
	return true
}

// countBars counts the bars in a row, without those that are part of a text: \|.
func countBars(row string) int { return strings.Count(row, "|") - strings.Count(row, `\|`) }

// Patterns of what plugins keep at the end of a note: a comment with a name such as %% kanban:settings, and the parts of
// a drawing, which follow its text.
var (
	pluginComment = regexp.MustCompile(`^%%[ \t]*[\w-]+:[\w-]+[ \t]*$`)
	drawingPart   = regexp.MustCompile(`^(?:Excalidraw Data|Text Elements|Drawing)$`)
)

// pluginTail returns the number of lines above what a plugin keeps at the end of a note with these properties.
func (p *page) pluginTail(properties string) int {
	isBoard := hasProperty(properties, "kanban-plugin")
	isDrawing := hasProperty(properties, "excalidraw-plugin")
	for i := range p.blocks {
		b := &p.blocks[i]
		isLast := i == len(p.blocks)-1
		isArchive := isBoard && b.Kind == md.Break && b.lines[0] == "***" && !isLast && p.blocks[i+1].Kind == md.Title
		isSettings := isLast && b.Kind == md.Comment && pluginComment.MatchString(b.lines[0])
		isPart := isDrawing && b.Kind == md.Title && drawingPart.MatchString(b.Text)
		if isArchive || isSettings || isPart {
			return b.from
		}
	}
	return len(p.lines)
}

// hasProperty reports whether properties have one with this name, which has only plain letters.
func hasProperty(properties, name string) bool {
	return strings.HasPrefix(properties, name+":") || strings.Contains(properties, "\n"+name+":")
}
