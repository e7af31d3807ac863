package md

import (
	"testing"
)

func TestEmbeds(t *testing.T) {
	const text = "![[a.png|300]] and ![x](b%20c.png) ![y](<d e.png>) ![z](f.png \"title\")\n" +
		"![[a.png]] `![[no.png]]` ![w](https://example.org/no.png) [l](no.png) ![[open\n```\n![[no.png]]\n```\n![](g.jpg)!"
	want := []string{"a.png", "b c.png", "d e.png", "f.png", "g.jpg"}
	is(t, Embeds(text), want)
}
