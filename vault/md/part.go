package md

// Part is a unit of a text for people: a block, or all items of a list.
type Part struct{ Start, End int } // offsets, like those of a Block

// Parts divides a text into parts.
func Parts(text string) (all []Part) {
	list := false
	for b := range Blocks(text, 0) {
		if n := len(all); b.Kind == Item && list {
			all[n-1].End = b.End
		} else {
			all = append(all, Part{b.Start, b.End})
		}
		list = b.Kind == Item
	}
	return all
}

// PartsText returns the text from one part to another, counted from 1; "" if there are not so many.
func PartsText(text string, from, to int) string {
	all := Parts(text)
	if from < 1 || to < from || to > len(all) {
		return ""
	}
	return text[all[from-1].Start:all[to-1].End]
}
