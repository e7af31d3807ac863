package mdview

import (
	"net/url"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// notes returns the addresses of notes in a small vault.
func notes(target string) string {
	if strings.HasPrefix(target, "Barn") {
		return "obsidian://open?vault=V&file=" + url.QueryEscape(target)
	}
	return ""
}

// linked renders a text whose links lead to the notes of that vault.
func linked(text string, width int, o theme.Options) []string {
	v := New(NewRenderer(theme.New(o)), Options{
		Width: width,
		Links: Links{Sources: []string{"Barn#Roof", "Gone"}, Address: notes},
	})
	v.Append(text)
	v.Finish()
	return v.Lines()
}

// TestAddresses: wikilinks, references and links in markdown lead to notes and pages,
// and nowhere else, whatever they say.
func TestAddresses(t *testing.T) {
	const barn = "obsidian://open?vault=V&file="
	for text, want := range map[string]struct{ word, address string }{
		"See [[Barn#Roof|the roof]] now":        {"the roof", barn + "Barn%23Roof"},
		"**See ![[Barn]] now**":                 {"Barn", barn + "Barn"},
		"# In [[Barn]]":                         {"Barn", barn + "Barn"},
		"| a |\n|---|\n| [[Barn]] |":            {"Barn", barn + "Barn"},
		"- so [1].":                             {"1", barn + "Barn%23Roof"},
		"so [2, 1].":                            {"1]", barn + "Barn%23Roof"},
		"so [2].":                               {"2", ""},
		"so [3].":                               {"3", ""},
		"so `[1]`.":                             {"1", ""},
		"so [1](https://example.org/a).":        {"1", "https://example.org/a"},
		"so [1].\n\n[1]: https://example.org/b": {"1", "https://example.org/b"},
		"to <http://example.org/é>":             {"http", "http://example.org/%C3%A9"},
		"the [barn](Barn%20door.md)":            {"barn", barn + "Barn+door.md"},
		"to [[Shed]]":                           {"Shed", ""},
		"[x](javascript:alert(1))":              {"x", ""},
		"[x](file:///etc/passwd)":               {"x", ""},
		"[x](obsidian://new?content=a)":         {"x", ""},
		"[x](obsidian://open?vault=W&file=b)":   {"x", "obsidian://open?vault=W&file=b"},
		"[x](<https://example.org/\x1b]8;;https://a.b\x07>)": {
			"x",
			"https://example.org/%E2%90%9B%5D8;;https://a.b%E2%90%87",
		},
	} {
		line := ""
		for _, l := range linked(text, 60, theme.Options{}) {
			if strings.Contains(ansi.Strip(l), want.word) {
				line = l
				break
			}
		}
		before, _, found := strings.Cut(ansi.Strip(line), want.word)
		if got := Address(line, ansi.StringWidth(before)); !found || got != want.address {
			t.Errorf("%s: %q leads to %q, not %q", text, line, got, want.address)
		}
		is(t, Address(line, 59), "", text)
	}
}

// TestAddressesWrap: a link that is wrapped leads to the same address on every line, and
// takes no column.
func TestAddressesWrap(t *testing.T) {
	text := "Look at [[Barn with a very long name that goes on#And a heading|the place that was meant all the time]] again"
	plain := linked(text, 24, theme.Options{})
	for i, line := range plain {
		if ansi.StringWidth(line) > 24 {
			t.Errorf("line %d is %d wide", i, ansi.StringWidth(line))
		}
		if i > 0 && i < len(plain)-1 && !strings.Contains(Address(line, 3), "And+a+heading") {
			t.Errorf("line %d leads nowhere: %q", i, line)
		}
		if strings.Count(line, "\x1b]8;")%2 != 0 {
			t.Errorf("line %d leaves a link open: %q", i, line)
		}
		if bare := Unlink(line); strings.Contains(bare, "\x1b]8;") || ansi.Strip(bare) != ansi.Strip(line) {
			t.Errorf("line %d without its links is %q", i, bare)
		}
	}
}
