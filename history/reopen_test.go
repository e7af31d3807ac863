package history_test

import (
	"strings"
	"testing"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

const garden = `
-- Garden/Beds.md --
---
aliases: [plots]
---
beds
-- Garden/Sowing.md --
peas
-- Log/Sowing.md --
beans
-- Log/Ideas, plans.md --
ideas
-- Rota.md --
mina
-- Moved/Renamed.md --
the very same text
-- Twin/A.md --
twice
-- Twin/B.md --
twice
-- Pictures/map.png --
png
`

// ladder has the ways in which a reopened chat finds its notes (S1-49 to S1-52, P-04), one per line: the context
// line, with the revision that was recorded for the first note => the results => the line that the next save
// writes, if it differs.
const ladder = `
the path itself, though the name is not unique: Notes: Log/Sowing.md => Log/Sowing.md → Log/Sowing.md ok
a name from an old chat: Notes: Beds => Beds → Garden/Beds.md ok
a name with its ending: Notes: Beds.md => Beds.md → Garden/Beds.md moved => Notes: Garden/Beds.md
moved to another folder: Notes: Old/Beds.md => Old/Beds.md → Garden/Beds.md moved => Notes: Garden/Beds.md
moved and renamed: Notes: Old/Gone.md@same => Old/Gone.md → Moved/Renamed.md moved => Notes: Moved/Renamed.md
content before name: Notes: Old/Rota.md@same => Old/Rota.md → Moved/Renamed.md moved => Notes: Moved/Renamed.md
content that two notes have: Notes: Old/Gone.md@twice => Old/Gone.md →  missing
a name that two notes have: Notes: Sowing => Sowing →  ambiguous Garden/Sowing.md Log/Sowing.md
deleted, the others stay: Notes: Old/Gone.md, Rota.md | Tags: #t => Old/Gone.md →  missing; Rota.md → Rota.md ok
an alias: Notes: Plots.md => Plots.md → Garden/Beds.md moved => Notes: Garden/Beds.md
a comma in the name: Notes: Rota.md, Log/Ideas, plans.md, Beds => Rota.md → Rota.md ok; Log/Ideas, plans.md → Log/Ideas, plans.md ok; Beds → Garden/Beds.md ok
a comma in a moved name: Notes: Old/Ideas, plans.md => Old/Ideas, plans.md → Log/Ideas, plans.md moved => Notes: Log/Ideas%2C plans.md
everything that has a path: Notes: Rota | Selections: Old/Beds.md#L1-L2 | Pins: Beds | Images: map.png | Active: Old/Rota.md => Old/Rota.md → Rota.md moved; Beds → Garden/Beds.md ok; Rota → Rota.md ok; map.png → Pictures/map.png ok; Old/Beds.md → Garden/Beds.md moved => Notes: Rota.md | Selections: Garden/Beds.md#L1-L2 | Pins: Garden/Beds.md | Images: Pictures/map.png | Active: Rota.md
out of the vault: Notes: ../../etc/passwd.md => ../../etc/passwd.md →  missing
`

func TestResolve(t *testing.T) {
	v := vaulttest.New(t, garden)
	revisions := map[string]string{}
	for name, text := range map[string]string{"same": "the very same text\n", "twice": "twice"} {
		revisions[name] = prompt.NewItem(prompt.Ref{}, "", "", text).Revision.Short()
	}
	for line := range strings.Lines(strings.TrimSpace(ladder)) {
		name, row, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.Run(name, func(t *testing.T) {
			cells := strings.Split(row, " => ")
			context, recorded, _ := strings.Cut(cells[0], "@")
			c, _, err := history.Decode([]byte("**user**: Q\n[Context: " + context + "]\n[Timestamp: Unknown time]"))
			check(t, err)
			if recorded != "" {
				ref := prompt.Ref{Kind: prompt.Note, ID: strings.TrimPrefix(context, "Notes: ")}
				c.Messages[0].Meta.Items = []history.Item{{Ref: ref, Revision: revisions[recorded]}}
			}
			out, found := history.Resolve(&c, v, history.Revisions(v))
			var got []string
			for _, r := range found {
				names := append([]string{r.Ref, "→", string(r.Path), string(r.State)}, vault.PathStrings(r.Candidates)...)
				got = append(got, strings.Join(names, " "))
				checkWarning(t, r)
			}
			is(t, strings.Join(got, "; "), cells[1])
			want := append(cells[2:], context)[0]
			if file := string(history.Encode(&out)); !strings.Contains(file, "[Context: "+want+"]") {
				t.Errorf("want the line %q in\n%s", want, file)
			}
		})
	}
}

func checkWarning(t *testing.T, r history.ResolvedPath) {
	t.Helper()
	w, ok := r.Warning()
	if ok == (r.State == vault.OK) {
		t.Errorf("%+v: warning %v", r, ok)
	}
	if ok && (!strings.Contains(w.Text, r.Ref) || w.Kind != string(r.State)+"_note" || r.Message != 1) {
		t.Errorf("%+v", w)
	}
	for _, p := range r.Candidates {
		if !strings.Contains(w.Text, string(p)) {
			t.Errorf("the warning does not name %s: %s", p, w.Text)
		}
	}
}

// TestReopen: what the engine needs back (S0-109, S1-53): display text only, ids
// in first-seen order under their present paths, revisions, notes to self.
func TestReopen(t *testing.T) {
	v := vaulttest.New(t, garden)
	s := store(t, v, history.Options{})
	c := talk("one", "first reply", "two", "second reply", "three")
	note := func(id string) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: id} }
	c.Messages[0].Context = history.ContextOf([]prompt.Ref{
		{Kind: prompt.Folder, ID: "Garden/"}, note("Rota.md"),
	}, "Rota.md", nil)
	c.Messages[0].Meta.Refs = []prompt.Ref{note("Rota.md"), {Kind: prompt.Folder, ID: "Garden/"}}
	c.Messages[0].Meta.Items = []history.Item{
		{Ref: note("Rota.md"), Revision: "0000000000000001"},
		{Ref: note("Old/Beds.md"), Revision: "0000000000000002"},
		{Ref: note("Garden/Sowing.md")},
	}
	c.Messages[2].Context = history.ContextOf([]prompt.Ref{
		note("Log/Sowing.md"), note("Rota.md"),
	}, "", []string{"Log/Sowing.md"})
	c.Messages[2].Meta.Items = []history.Item{
		{Ref: note("Rota.md"), Revision: "0000000000000003"}, {Ref: note("Log/Sowing.md")},
	}
	c.Messages[4].Context = history.ContextOf([]prompt.Ref{
		prompt.Lines("Rota.md", 1, 2), {Kind: prompt.Tag, ID: "#a"}, {Kind: prompt.URL, ID: "https://x/"},
	}, "", nil)
	c.Messages[4].Meta.Refs = []prompt.Ref{
		prompt.QueryRef("Rota.md", "LIST"),
		{Kind: prompt.URL, ID: "https://x/"},
		{Kind: prompt.Tag, ID: "#a"},
		prompt.Lines("Rota.md", 1, 2),
	}
	c.Messages[1].Notes = []string{"remember the rota"}
	c.Muted = []prompt.Ref{note("Rota.md")}
	c.Forgotten = []prompt.Ref{note("Garden/Sowing.md")}
	save(t, s, &c)

	read := open(t, s, c.Path)
	got, _ := history.Resolve(&read, v, history.Revisions(v))
	want := []history.KnownItem{
		{Ref: note("Rota.md"), Revision: "0000000000000003", Since: 1, Used: 2, Times: 2, Muted: true},
		{Ref: note("Garden/Beds.md"), Revision: "0000000000000002", Since: 1, Used: 1, Times: 1},
		{Ref: note("Log/Sowing.md"), Since: 2, Used: 2, Times: 1},
		{Ref: prompt.QueryRef("Rota.md", "LIST"), Since: 3, Used: 3, Times: 1},
		{Ref: prompt.Ref{Kind: prompt.URL, ID: "https://x/"}, Since: 3, Used: 3, Times: 1},
		{Ref: prompt.Ref{Kind: prompt.Tag, ID: "#a"}, Since: 3, Used: 3, Times: 1},
		{Ref: prompt.Lines("Rota.md", 1, 2), Since: 3, Used: 3, Times: 1},
	}
	is(t, got.Library(), want)
	if said := texts(got); len(said) != 5 || said[1] != "first reply" {
		t.Errorf("the past is %q", said)
	}
	is(t, got.Messages[0].Refs(), c.Messages[0].Meta.Refs, "the person's order")
	// A person takes a note off the line in an editor: it is not attached any more.
	got.Messages[0].Context.Folders = nil
	is(t, got.Messages[0].Refs(), []prompt.Ref{note("Rota.md")}, "after editing the line")
}

// TestLean: what is attached does not swell the file (S0-108, S1-48).
func TestLean(t *testing.T) {
	big := strings.Repeat("a long line of a long note\n", 4000)
	v := vaulttest.New(t, "-- big.md --\n"+big)
	c := talk("Q")
	plain := len(history.Encode(&c))
	item := prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "big.md"}, "big", "big.md", big)
	c.Messages[0].Context = history.ContextOf([]prompt.Ref{item.Ref}, "", nil)
	c.Messages[0].Meta.Items = []history.Item{{Ref: item.Ref, Revision: item.Revision.Short()}}
	if grown := len(history.Encode(&c)) - plain; grown > 1024 {
		t.Errorf("%d bytes for one note", grown)
	}
	c.Messages[0].Context.Notes, c.Messages[0].Meta.Items[0].Ref.ID = []string{"old.md"}, "old.md"
	if _, got := history.Resolve(&c, v, history.Revisions(v)); got[0].Path != "big.md" || got[0].State != vault.Moved {
		t.Errorf("the recorded revision finds %+v", got)
	}
}
