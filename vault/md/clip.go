package md

// Clip is the first characters of a text, at most so many; the last of them is "…"
// if something was left out.
func Clip(text string, most int) string {
	if most <= 0 {
		return ""
	}
	n, last := 0, 0 // characters before i, and where the last of them begins
	for i := range text {
		if n == most {
			return text[:last] + "…"
		}
		n, last = n+1, i
	}
	return text
}
