package names_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ibid/vault"
	"ibid/vault/names"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// note returns a note at path, changed so many days after day.
func note(path string, days int, tags ...string) *vault.Note {
	p := vault.Path(path)
	return &vault.Note{Path: p, Title: p.Base(), Tags: tags, ModTime: day.AddDate(0, 0, days)}
}

// find returns the first matches of a finder in a list.
func find(all *names.List, f names.Finder, query string) []names.Match {
	f.List = all
	found, _ := f.Find(query, 50)
	return found
}

func ids(ms []names.Match) []string {
	list := make([]string, len(ms))
	for i, m := range ms {
		list[i] = m.ID
	}
	return list
}

func TestFindRanks(t *testing.T) {
	alias := note("Instruments/Clavichord.md", 1)
	alias.Aliases = []string{"Harp", "Old keyboard"}
	titled := note("zk/20260301.md", 2)
	titled.Title = "Harpsichord tuning"
	notes := []*vault.Note{
		note("Harp.md", 0),
		alias,
		titled,
		note("Music/Harp strings.md", 3),
		note("Music/Harp pedals.md", 9),
		note("Music/The harp in Wales.md", 5),
		note("Music/Sharpening.md", 6),
		note("Music/Hear a piano.md", 7, "music/harp"),
		note("Café menü.md", 0),
		note("知识管理/双向链接笔记.md", 0),
		note("知识管理/笔记方法.md", 1),
		note("Łódź trip.md", 0),
		{Path: "Diary/Harp secrets.md", Title: "Harp secrets", Private: true, Tags: []string{"secret"}},
	}
	all := names.New(notes, []vault.Path{"Files/harp.png", "Files/score.pdf"})
	for _, tt := range []struct {
		name, query string
		in          names.Finder // without the list
		want        []string     // the first matches
	}{
		{
			"exact title and alias, prefix, word start, inside, path, scattered", "harp",
			names.Finder{},
			[]string{
				"Instruments/Clavichord.md", "Harp.md",
				"Music/Harp pedals.md", "Music/Harp strings.md", "zk/20260301.md", "Files/harp.png", "#music/harp",
				"Music/The harp in Wales.md", "Music/Sharpening.md", "Music/Hear a piano.md",
			},
		},
		{
			"use in this chat goes before links and recency", "harp ",
			names.Finder{
				Used: map[string]int{"Music/Harp strings.md": 2, "zk/20260301.md": 1},
				Near: map[vault.Path]int{"Harp.md": 1, "Music/Harp pedals.md": 1},
			},
			[]string{"Harp.md", "Instruments/Clavichord.md", "Music/Harp strings.md", "zk/20260301.md", "Music/Harp pedals.md", "Files/harp.png"},
		},
		{
			"one link goes before two", "harp s",
			names.Finder{Near: map[vault.Path]int{"Music/Harp strings.md": 2}},
			[]string{"Music/Harp strings.md"},
		},
		{"words in any order", "wales harp", names.Finder{}, []string{"Music/The harp in Wales.md"}},
		{"case and accents", "CAFE menu", names.Finder{}, []string{"Café menü.md"}},
		{"accents typed", "cafe\u0301", names.Finder{}, []string{"Café menü.md"}},
		{"a stroke is no accent but folds", "lodz", names.Finder{}, []string{"Łódź trip.md"}},
		{"dense scripts match anywhere", "笔记", names.Finder{}, []string{"知识管理/笔记方法.md", "知识管理/双向链接笔记.md"}},
		{"dense scripts scattered", "双笔", names.Finder{}, []string{"知识管理/双向链接笔记.md"}},
		{"folder and name", "music pedals", names.Finder{}, []string{"Music/Harp pedals.md"}},
		{"path with a slash", "mus/hpe", names.Finder{}, []string{"Music/Harp pedals.md"}},
		{"folder by its slash", "music/", names.Finder{}, []string{"Music/", "Music/Harp pedals.md"}},
		{"extension typed", "harp strings.md", names.Finder{}, []string{"Music/Harp strings.md"}},
		{"attachment", "score", names.Finder{}, []string{"Files/score.pdf"}},
		{"tags only", "#harp", names.Finder{}, []string{"#music/harp"}},
		{"all tags", "#", names.Finder{}, []string{"#music", "#music/harp"}},
		{"nothing", "xylophone", names.Finder{}, nil},
		{"private notes are not offered", "secret", names.Finder{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ids(find(all, tt.in, tt.query))
			if len(tt.want) > 0 {
				got = got[:min(len(got), len(tt.want))]
			}
			if diff := cmp.Diff(tt.want, got, cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("Find(%q) (-want +got):\n%s", tt.query, diff)
			}
		})
	}
}

// link adds links from a note to others.
func link(n *vault.Note, targets ...string) {
	linked := vault.ParseNote(n.Path, "[["+strings.Join(targets, "]] [[")+"]]")
	linked.Tags, linked.ModTime, linked.Private = n.Tags, n.ModTime, n.Private
	*n = *linked
}

func TestFindEmptyQuery(t *testing.T) {
	secret := note("s.md", 0)
	secret.Private = true
	notes := []*vault.Note{note("a.md", 1), note("b.md", 0), note("c.md", 0), note("d.md", 8), note("x/e.md", 9, "t"), secret}
	link(notes[1], "a", "a", "#part", "s", "nowhere")
	link(notes[2], "b")
	link(secret, "a", "d")
	near := vault.NewLinks(notes, func(target string, _ vault.Path) vault.FoundNote {
		if target == "nowhere" {
			return vault.FoundNote{State: vault.Missing}
		}
		return vault.FoundNote{State: vault.OK, Path: vault.Path(target + ".md")}
	}).Near("a.md")
	if diff := cmp.Diff(map[vault.Path]int{"a.md": 0, "b.md": 1, "c.md": 2}, near); diff != "" {
		t.Fatal(diff)
	}
	f := names.Finder{List: names.New(notes, nil), Near: near, Used: map[string]int{"d.md": 4}}
	got, total := f.Find("", 50)
	if diff := cmp.Diff([]string{"d.md", "a.md", "b.md", "c.md", "x/e.md", "#t", "x/"}, ids(got)); diff != "" {
		t.Error(diff)
	}
	if total != 7 {
		t.Errorf("%d in all", total)
	}
	if got[2].Distance != 1 || got[4].Distance != -1 || got[0].Used != 4 {
		t.Errorf("distance %d %d, used %d", got[2].Distance, got[4].Distance, got[0].Used)
	}
	if two, _ := f.Find("", 2); len(two) != 2 {
		t.Errorf("%d matches, want 2", len(two))
	}
}

func TestMatchRunes(t *testing.T) {
	n := note("dir/Übung für Cello.md", 0)
	n.Aliases = []string{"e\u0301tude no. 4"}
	all := names.New([]*vault.Note{n, note("练习/大提琴.md", 0)}, nil)
	for _, tt := range []struct {
		query, want string
		tier        names.Tier
		field       names.Field
	}{
		{"ubung für cello", "[Ü][b][u][n][g][ ][f][ü][r][ ][C][e][l][l][o]", names.Exact, names.InTitle},
		{"übu", "[Ü][b][u]ng für Cello", names.Prefix, names.InTitle},
		{"cel fu", "Übung [f][ü]r [C][e][l]lo", names.WordStart, names.InTitle},
		{"ello", "Übung für C[e][l][l][o]", names.Inside, names.InTitle},
		{"dir cello", "[d][i][r]/Übung für [C][e][l][l][o]", names.Outside, names.InPath},
		{"ufc", "[Ü]bung [f]ür [C]ello", names.Scattered, names.InTitle},
		{"tude", "é[t][u][d][e] no. 4", names.Inside, names.InAlias},
		{"提琴", "大[提][琴]", names.WordStart, names.InTitle},
	} {
		ms := find(all, names.Finder{}, tt.query)
		if len(ms) == 0 {
			t.Errorf("%q: no match", tt.query)
			continue
		}
		m := ms[0]
		var b strings.Builder
		at := m.Runes
		for i, r := range []rune(m.Text) {
			if len(at) > 0 && at[0] == i {
				fmt.Fprintf(&b, "[%c]", r)
				at = at[1:]
			} else {
				b.WriteRune(r)
			}
		}
		if b.String() != tt.want || m.Tier != tt.tier || m.Field != tt.field {
			t.Errorf("%q: %s tier %d field %d, want %s tier %d field %d", tt.query, b.String(), m.Tier, m.Field, tt.want, tt.tier, tt.field)
		}
	}
}

func TestCounts(t *testing.T) {
	all := names.New([]*vault.Note{
		note("a/b/one.md", 0, "Music/Piano", "music"),
		note("a/two.md", 0, "music/piano"),
		note("three.md", 0, "music"),
	}, []vault.Path{"a/pic.png", "img/only.png", "a/note.md"})
	for id, want := range map[string]int{"#Music": 3, "#Music/Piano": 2, "a/": 2, "a/b/": 1, "img/": 0} {
		if e, ok := all.Entry(id); !ok || e.Count != want {
			t.Errorf("%s: %+v %v, want count %d", id, e, ok, want)
		}
	}
	if all.Len() != 3+2+2+3 {
		t.Errorf("Len = %d", all.Len())
	}
}

func TestRebuild(t *testing.T) {
	one, two := note("one.md", 0, "x"), note("two.md", 0)
	before := names.New([]*vault.Note{one, two}, nil)
	moved := note("sub/second.md", 1)
	after := before.Rebuild([]*vault.Note{one, moved}, []vault.Path{"p.png"})
	if got := ids(find(before, names.Finder{}, "two")); len(got) != 1 {
		t.Errorf("the old names changed: %v", got)
	}
	if got := ids(find(after, names.Finder{}, "two")); len(got) != 0 {
		t.Errorf("a removed note is found: %v", got)
	}
	fresh := names.New([]*vault.Note{one, moved}, []vault.Path{"p.png"})
	for _, q := range []string{"", "o", "sec", "p", "#x", "sub/"} {
		if diff := cmp.Diff(find(fresh, names.Finder{}, q), find(after, names.Finder{}, q)); diff != "" {
			t.Errorf("%q: Rebuild differs from New:\n%s", q, diff)
		}
	}
}

// manyNotes returns n notes with names of two to four words, in the order of a vault.
func manyNotes(n int) []*vault.Note {
	words := strings.Fields(`lesson piano garden project review meeting budget travel recipe reading idea
		draft network database index query parser compiler release incident planning chapter outline interview
		winter summer morning evening harmony scale chord tempo practice exercise journal weekly monthly yearly`)
	rng := rand.New(rand.NewPCG(1, 2))
	notes := make([]*vault.Note, n)
	for i := range notes {
		var w []string
		for range 2 + rng.IntN(3) {
			w = append(w, words[rng.IntN(len(words))])
		}
		folder := words[rng.IntN(len(words))] + "/" + words[rng.IntN(len(words))]
		notes[i] = note(fmt.Sprintf("%s/%s %d.md", folder, strings.Join(w, " "), i), i%900, words[rng.IntN(len(words))])
	}
	slices.SortFunc(notes, func(a, b *vault.Note) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return notes
}

// BenchmarkKeystroke types a query into a picker over 50,000 names; one
// operation is one keystroke.
func BenchmarkKeystroke(b *testing.B) {
	notes := manyNotes(50_000)
	all := names.New(notes, nil)
	for _, query := range []string{"lesson pi", "e", "hrmny"} {
		b.Run("finder/"+query, func(b *testing.B) {
			b.ReportAllocs()
			keys := 0
			f := names.Finder{List: all}
			for b.Loop() {
				f.Find(query[:keys%len(query)+1], 50)
				keys++
			}
		})
	}
}

// BenchmarkRebuild makes the names anew after one of 50,000 notes changed.
func BenchmarkRebuild(b *testing.B) {
	notes := manyNotes(50_000)
	all := names.New(notes, nil)
	b.Run("rebuild", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			changed := *notes[7]
			notes[7] = &changed
			all = all.Rebuild(notes, nil)
		}
	})
	b.Run("from nothing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			names.New(notes, nil)
		}
	})
}
