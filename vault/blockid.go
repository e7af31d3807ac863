package vault

import (
	"strings"

	"ibid/vault/md"
)

// blockID records the block id (" ^id") at the end of a line. An id alone on its line names the block above,
// and alone is true. In a paragraph only the last line can have an id, so endTail removes it if the next line
// continues the paragraph; the block of a list item includes the items below it.
func (s *scanner) blockID(l mdLine, rest string, item bool, mark int) (alone bool) {
	id, before, ok := md.BlockID(rest)
	if !ok {
		return false
	}
	b := Block{ID: id, Start: l.num, End: l.num}
	if before == "" && !item {
		above := s.block
		if s.blank || above.start == 0 {
			above = s.previous
		}
		if above.start == 0 {
			return true
		}
		b.Start, b.End = above.start, above.end
		s.note.blocks = append(s.note.blocks, b)
		return true
	}
	if !item && s.gathered.open {
		b.Start = s.gathered.line
	}
	s.note.blocks = append(s.note.blocks, b)
	index := len(s.note.blocks) - 1
	if item || s.fences.InList() && s.gathered.open {
		s.items = append(s.items, openItem{index: index, indent: mark})
		return false
	}
	s.tail = index
	return false
}

// dropTail removes an id that did not end its paragraph after all, because l continues it.
func (s *scanner) dropTail(l mdLine) {
	tail := s.tail
	s.tail = -1
	if tail < 0 || !s.gathered.open || s.gathered.quote != l.quote {
		return
	}
	if md.ListMark(l.rest) > 0 || md.Rule(l.rest) || md.Underline(l.rest) > 0 {
		return
	}
	if _, _, ok := md.Heading(l.rest); ok {
		return
	}
	if _, ok := md.FenceOf(l.rest); ok || strings.HasPrefix(l.rest, "|") {
		return
	}
	s.note.blocks = append(s.note.blocks[:tail], s.note.blocks[tail+1:]...)
}

// closeItems ends the list items that are indented by indent or more; their last line is the one before the
// current line. -1 ends all.
func (s *scanner) closeItems(indent int) {
	for n := len(s.items); n > 0 && s.items[n-1].indent >= indent; n-- {
		b := &s.note.blocks[s.items[n-1].index]
		b.End = max(b.End, s.block.end, s.previous.end)
		s.items = s.items[:n-1]
	}
}
