package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/report"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault/names"
	"ibid/vault/vaulttest"
)

// TestOneNumber: list, shelf, the line after attaching, the request as text, the
// inspector and the line under the message name the same number for the same thing,
// in the provider's tokens, whatever state it is in.
func TestOneNumber(t *testing.T) {
	long := strings.Repeat("A line of a long note, with some words.\n", 300)
	v := vaulttest.New(t, "-- new.md --\n# New\n\nNobody has read it.\n-- embeds.md --\nBefore. ![[new]] After.\n-- known.md --\nRead already.\n-- changed.md --\nSoon another.\n-- grown.md --\n"+long+
		"-- muted.md --\nNot referred to.\n-- work/a.md --\nOne. #work\n-- work/b.md --\nTwo. #work\n-- picture.md --\nA note ![[pic.png]] with a picture.\n")
	if err := v.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	g := gather.New(v, gather.Options{})
	d := desk.New(desk.Options{Vault: v, Gather: g, StateDir: t.TempDir(), Session: chains.Options{
		Model: chaintest.New(chaintest.Reply{Text: "Yes."}), Gather: g, Layout: prompt.Append,
		Calibrate: chains.Calibration{Factor: func() float64 { return 1.37 }},
	}})
	t.Cleanup(func() { _ = d.Close() })
	note := func(id string) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: id} }
	read := []prompt.Ref{note("known.md"), note("changed.md"), note("grown.md"), note("muted.md")}
	for _, err := range d.Session().Send(t.Context(), chains.Input{Text: "1", Attach: read}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	vaulttest.Write(t, v, "changed.md", "Another now.\n")
	vaulttest.Write(t, v, "grown.md", long+"One line more.\n")
	if err := d.Session().Apply(chains.Change{Mute: []prompt.Ref{note("muted.md")}}); err != nil {
		t.Fatal(err)
	}

	all := []struct {
		arg   string
		ref   prompt.Ref
		state string
	}{
		{"new", note("new.md"), "new"},
		{"embeds", note("embeds.md"), "new"},
		{"new#New", prompt.Ref{Kind: prompt.Selection, ID: "new.md#New"}, "new"},
		{"picture", note("picture.md"), "new"},
		{"known", note("known.md"), "known"},
		{"changed", note("changed.md"), "updated"},
		{"grown", note("grown.md"), "updated"},
		{"muted", note("muted.md"), "muted"},
		{"work/", prompt.Ref{Kind: prompt.Folder, ID: "work/"}, "new"},
		{"#work", prompt.Ref{Kind: prompt.Tag, ID: "#work"}, "new"},
	}
	for _, tt := range all {
		t.Run(tt.arg, func(t *testing.T) {
			env, look := page.NewEnv(theme.Options{}), theme.New(theme.Options{})
			tasks := term.NewTasks(t.Context())
			defer tasks.Close()
			c := chatview.New(&chatview.Setup{Env: env, Tasks: tasks, Vault: v, Host: deaf{}, Shared: d}, d.Chat,
				chatview.StateOf(d))
			c.Current, c.Composer = c, composer.New(look)
			k := newKnown()
			k.Chat, k.Catalog.Current, k.Notes.All = c, c,
				&browse.Names{Names: names.New(v.Notes(), v.Files()), Links: d.Links()}
			reply, err := c.Weigh([]prompt.Ref{tt.ref})(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			c.Update(reply)
			var row picker.Item
			for _, it := range listOf(k, page.Mentions).Rows("").Items {
				if it.ID == tt.ref.ID {
					row = it
				}
			}

			r, err := d.Command(t.Context(), "/add "+tt.arg)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Drop(tt.ref)
			asks, _ := c.Update(c.Forecast()().(chatview.For).Msg)
			done := asks().(chatview.JobDone)
			if done.Err != nil {
				t.Fatal(done.Err)
			}
			c.Update(done.Reply)
			state, tokens := c.Estimate.State(tt.ref)
			states := map[string]composer.ChipState{
				"new": composer.Fresh, "updated": composer.Drifted,
				"known": composer.Known, "muted": composer.Known,
			}
			if state != states[tt.state] || (tokens > 0) != (tt.state == "new" || tt.state == "updated") {
				t.Fatalf("%v, %d tokens, want it %s", state, tokens, tt.state)
			}
			want := "0 new"
			if tokens > 0 {
				want = "+" + theme.ShortCount(tokens) + " tokens"
			}
			if tt.ref.Kind != prompt.Selection && row.Meta != want { // a section is no row
				t.Errorf("the list says %q, want %q", row.Meta, want)
			}
			if n := theme.Plural(tokens, "token"); !strings.Contains(r.Text, "(about "+strings.TrimSuffix(n, "s")) {
				t.Errorf("%q, want %s", r.Text, n)
			}

			next := *c.Estimate.Env
			sum, parts := 0, 0
			for _, a := range next.Attached {
				sum += a.Tokens
			}
			for _, p := range report.Describe(next, nil, inspector.Report{}).Parts {
				if slices.Contains([]string{"full", "diff"}, p.Kind) {
					parts += p.Tokens
				}
			}
			if sum != tokens || parts != tokens {
				t.Errorf("attached %d, parts in the inspector %d, want %d", sum, parts, tokens)
			}
			for _, it := range report.Describe(next, nil, inspector.Report{}).Library {
				if it.ID == tt.ref.ID && tt.state == "new" && it.Tokens != tokens {
					t.Errorf("its row in the inspector says %d, want %d", it.Tokens, tokens)
				}
			}
		})
	}
}

// deaf is a screen that does nothing.
type deaf struct{}

func (deaf) Ask(*chatview.Chat, page.Request) tea.Cmd { return nil }

func (deaf) All() []*chatview.Chat { return nil }
