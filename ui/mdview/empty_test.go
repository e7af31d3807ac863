package mdview

import "testing"

// TestEmptyLines: what remains of a line without its mark may be nothing.
func TestEmptyLines(*testing.T) {
	for _, text := range []string{
		"> [!a]\nword", "[^1]: \nword",
	} {
		plain().Render(text, 40)
	}
}
