package gather

import (
	"strings"

	"ibid/vault/legible"
	"ibid/vault/md"
)

// embeddedData lists the images that a text embeds as ![…](data:…), outside of
// code fences.
func embeddedData(text string) []embed {
	all := legible.URIs(text)
	if len(all) == 0 {
		return nil
	}
	var found []embed
	offset := 0
	var code md.Fences
	number := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		number++
		inside := code.Line(strings.TrimSuffix(line, "\n"))
		for len(all) > 0 && all[0].Start < offset+len(line) {
			u := all[0]
			all = all[1:]
			if !inside && u.IsImage() && embeds(text[offset:u.Start]) {
				found = append(found, embed{line: number, data: u})
			}
		}
		offset += len(line)
	}
	return found
}

// embeds reports whether the text of a line so far ends with the beginning of an embedded image, "![…](".
func embeds(before string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(before, " <"), "](")
	open := strings.LastIndexByte(before, '[')
	return ok && open > 0 && before[open-1] == '!'
}
