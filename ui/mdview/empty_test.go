package mdview

import "testing"

// TestEmptyLines: what remains of a line without its mark may be nothing.
func TestEmptyLines(*testing.T) {
	for _, text := range []string{
		"- [/] \nword", "term\n: \nword", "term\n\n: \nword", "> [!a]\nword", "[^1]: \nword",
		"term\n:  \n: \n:  x",
	} {
		plain().Render(text, 40)
	}
}
