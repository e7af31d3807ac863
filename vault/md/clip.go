package md

// Clip returns the first most characters of a text; the last one is "…" if any are left out.
func Clip(text string, most int) string {
	if most <= 0 {
		return ""
	}
	n, last := 0, 0 // number of characters before i, and offset of the last of them
	for i := range text {
		if n == most {
			return text[:last] + "…"
		}
		n, last = n+1, i
	}
	return text
}
