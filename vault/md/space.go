package md

import "strings"

// OneLine returns the words of text with single spaces between them.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
