package browse

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// TestNotesOfMessage: sources come first, by their numbers, then what went with the
// message, then what it links to; a section that was listed is not listed again.
func TestNotesOfMessage(t *testing.T) {
	v := vaulttest.New(t, "-- Projects/Barn.md --\n# Roof\n-- Odd [1].md --\nx\n-- Shed.md --\nx\n")
	reply := "From [[Barn#Roof]] [1], [[Shed]] [2], [[Gone]].\n\n#### Sources:\n\n1. [[Projects/Barn#Roof]]\n2. [Odd \\[1\\]](Odd%20%5B1%5D.md)"
	own := transcript.Message{Text: "compare [[Barn]]", Chips: []transcript.Chip{
		{Label: "Barn", Link: prompt.Ref{Kind: prompt.Note, ID: "Projects/Barn.md"}.Link()},
		{Label: "#tag", Link: prompt.Ref{Kind: prompt.Tag, ID: "#tag"}.Link()},
	}}
	for _, tt := range []struct {
		msg  transcript.Message
		want []string
	}{
		{
			transcript.Message{Text: reply, Sources: []string{"Projects/Barn#Roof", "Odd [1].md"}},
			[]string{
				"[1] Projects/Barn#Roof > Projects/Barn#Roof", "[2] Odd [1].md > Odd [1].md",
				"Shed > Shed", "Gone > Gone",
			},
		},
		{own, []string{"Barn > Projects/Barn.md"}},
		{transcript.Message{Text: "nothing"}, nil},
	} {
		var got []string
		for _, link := range linksOf(v, &tt.msg) {
			got = append(got, link.Label+" > "+link.ID)
			if _, _, _, _, err := target(v, link.ID); (err != nil) != (link.Meta == "no such note") {
				t.Errorf("%s: %s, %v", link.ID, link.Meta, err)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q\nwant %q", tt.msg.Text, got, tt.want)
		}
	}
	shown := transcript.Message{Text: reply, Sources: []string{"Projects/Barn#Roof", "Odd [1].md"}}
	for footnote, want := range map[string]string{
		"^1": "Projects/Barn#Roof", "[^2]": "Odd [1].md", "^3": "",
		"1": "", "^x": "",
	} {
		if link, ok := SourceAt(&shown, footnote); link != want || ok != (want != "") {
			t.Errorf("%s is %q", footnote, link)
		}
	}
}

// TestLinkOpensSection: a link to a section is opened at its line.
func TestLinkOpensSection(t *testing.T) {
	v := vaulttest.New(t, "-- Projects/Barn.md --\n# Barn\n\n## Roof: new\nSlate.\n")
	for target, line := range map[string]int{"Projects/Barn#Roof new": 3, "Barn": 0, "Barn#Gone": 0} {
		msg := followLink(v, target)(t.Context())
		if want := (page.EditFile{Path: "Projects/Barn.md", Line: line, Via: string(state.Wikilink)}); msg != want {
			t.Errorf("%s: %v", target, msg)
		}
	}
}

// TestObsidianURL: the address names vault, note and heading.
func TestObsidianURL(t *testing.T) {
	got := obsidianURL("/home/p/My notes", vault.FoundNote{Path: "Projects/A & B.md", Subpath: "Roof"})
	if want := "obsidian://open?vault=My%20notes&file=Projects%2FA%20%26%20B.md%23Roof"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestObsidianNeedsAnOpener: where nothing opens an address, the person gets it.
func TestObsidianNeedsAnOpener(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	c := newTestCatalog()
	c.Vault = vaulttest.New(t, "-- Barn.md --\n# Barn\n")
	open := func(link string) tea.Msg { return c.showIn(link).(page.Do).Work(t.Context()) }
	if said, ok := open("Gone").(page.Toast); !ok || !said.Bad ||
		!strings.Contains(said.Text, "there is no such note") {
		t.Errorf("no note: %+v", said)
	}
	copied, ok := open("Barn").(page.Copy)
	if !ok || !strings.HasPrefix(copied.Text, "obsidian://open?vault=") ||
		!strings.Contains(copied.What, "is not installed") {
		t.Errorf("no opener: %+v", copied)
	}
}

// TestReadingView: what a source leads to is shown as it reads, scrolled to the passage, which
// is marked; keys show it as it is written, and what is folded.
func TestReadingView(t *testing.T) {
	v := vaulttest.New(t, "-- Barn.md --\n---\ntags: [roof]\n---\n# Barn\n\n## Walls\n\nStone.\n\n## Roof\n\nSlate, see [[#Walls]].\n\n![[Shed]]\n-- Shed.md --\nTin.\n")
	msg, ok := readLink(v, "Barn#Roof")(t.Context()).(Section)
	if !ok {
		t.Fatal("nothing was read")
	}
	th := theme.New(theme.Options{NoColor: true})
	c := &Catalog{Setup: &chatview.Setup{Env: page.Env{Theme: &th}, Vault: v, Address: AddressIn(v)}}
	p := newSectionPage(&linkList{Catalog: c}, msg)
	p.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	shows := func(want ...string) {
		t.Helper()
		got := ansi.Strip(theme.StripMarks(strings.Join(p.View(60, 12), "\n")))
		for _, text := range want {
			if !strings.Contains(got, text) {
				t.Errorf("%q is not in\n%s", text, got)
			}
		}
	}
	shows(" Barn › Roof ", "▌ Roof ", "▌ Slate, see Walls.", "▌ │ ▸ i EMBED · Shed", "s source")
	p.Update(tea.KeyPressMsg{Code: 'f', Text: "f"})
	shows("▌ │ Tin.")
	p.Update(tea.KeyPressMsg{Code: 's', Text: "s"})
	shows("tags: [roof]", "# Barn")
}
