package md

import (
	"slices"
	"testing"
)

func TestEmbeds(t *testing.T) {
	const text = "![[a.png|300]] and ![x](b%20c.png) ![y](<d e.png>) ![z](f.png \"title\")\n" +
		"![[a.png]] `![[no.png]]` ![w](https://example.org/no.png) [l](no.png) ![[open\n```\n![[no.png]]\n```\n![](g.jpg)!"
	want := []string{"a.png", "b c.png", "d e.png", "f.png", "g.jpg"}
	if got := Embeds(text); !slices.Equal(got, want) {
		t.Errorf("embeds are %q, want %q", got, want)
	}
}
