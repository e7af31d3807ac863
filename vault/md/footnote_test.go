package md

import "testing"

// The footnotes of a note lose their marks, so that no model takes them for numbers
// to cite by; code keeps what looks like one.
func TestWithoutFootnotes(t *testing.T) {
	for text, want := range map[string]string{
		"Slate [^1] on battens [^old-roof].":        "Slate  on battens .",
		"So it is [^a].\n\n[^a]: From the deeds.\n": "So it is .\n\n: From the deeds.\n",
		"`[^1]` and\n```\nx[^1]\n```\n[^1]":         "`[^1]` and\n```\nx[^1]\n```\n",
		"> x [^1]\n\n  [^1]:\ta [^2]\n[^1]:":        "> x \n\n  :\ta \n:",
		"[[a]] [b](c) [ ] [^ ]":                     "[[a]] [b](c) [ ] [^ ]",
	} {
		is(t, WithoutFootnotes(text), want, text)
	}
}
