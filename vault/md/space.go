package md

import "strings"

// OneLine is a text with one space between its words, and none around them.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
