package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSearch(t *testing.T) {
	src := newMemory(map[string]string{
		"Piano/Scales.md": "tags: music/practice\n\nSlow first.\n\n# Contrary motion\n\nBoth thumbs start on C.\n\n## Fingering\n\n" +
			"- count aloud, **keep the wrist low**\n- then GPT-4 style jokes\n",
		"Piano/Wrist.md":  "# Wrist\n\nThe wrist leads the arm.\n",
		"Garden/Beds.md":  "tags: garden\n\nRaised beds need compost. Keep notes low in number.\n",
		"Garden/café.md":  "The CAFÉ by the gate, naïve and cheap.\n",
		"笔记/双向链接.md":      "# 双向链接笔记\n\n用AI工具整理知识花园。\n",
		"笔记/方法.md":        "卡片盒方法,知识管理的基础。\n",
		"Russian.md":      "Зелёный чай и йогурт\n",
		"Diary/secret.md": "private: true\n\nThe wrist hurt, compost everywhere.\n",
		"Empty.md":        "",
	})
	src.notes["Garden/Beds.md"].ModTime = day.AddDate(0, 0, 1) // the others look like a copy
	for name, s := range searchers(t, src) {
		for _, tt := range []struct {
			query index.Query
			want  string // paths in order
		}{
			{index.Query{Text: "compost"}, "Garden/Beds.md"},
			{index.Query{Text: "wrist"}, "Piano/Wrist.md Piano/Scales.md"},
			{index.Query{Text: "keep low aloud"}, "Piano/Scales.md Garden/Beds.md"},
			{index.Query{Text: `"keep the wrist"`}, "Piano/Scales.md"},
			{index.Query{Text: `"wrist keep the"`}, ""},
			{index.Query{Text: `thumbs compost`}, "Garden/Beds.md Piano/Scales.md"}, // no note has both
			{index.Query{Text: "gpt-4"}, "Piano/Scales.md"},
			{index.Query{Text: "cafe"}, "Garden/café.md"},
			{index.Query{Text: "CAFE\u0301 NAI\u0308VE"}, "Garden/café.md"},
			{index.Query{Text: "зеленый"}, "Russian.md"},
			{index.Query{Text: `"wris"`}, ""}, // in quotes a word is what it is
			{index.Query{Text: "wris", Partial: true}, "Piano/Wrist.md Piano/Scales.md"},
			{index.Query{Text: "链接笔记"}, "笔记/双向链接.md 笔记/方法.md"},
			{index.Query{Text: "盒"}, "笔记/方法.md"},
			{index.Query{Text: "园"}, "笔记/双向链接.md"},
			{index.Query{Text: "ai工具"}, "笔记/双向链接.md"},
			{index.Query{Text: "工具整理"}, "笔记/双向链接.md 笔记/方法.md"}, // which has one of the runes,
			{index.Query{Text: "基础知识"}, "笔记/方法.md 笔记/双向链接.md"}, // in pairs only
			{index.Query{Text: "empty"}, "Empty.md"},
			{index.Query{Text: "fingering"}, "Piano/Scales.md"},
			{index.Query{Text: "scales thumbs"}, "Piano/Scales.md"},
			{index.Query{Text: "practice"}, "Piano/Scales.md"},
			{index.Query{Text: "wrist", Folder: "Piano", Limit: 1}, "Piano/Wrist.md"},
			{index.Query{Text: "keep", Folder: "Garden"}, "Garden/Beds.md"},
			{index.Query{Text: "keep", Tags: []string{"#Music"}}, "Piano/Scales.md"},
			{index.Query{Text: "keep", Tags: []string{"mus"}}, ""},
			{index.Query{Text: "keep", Notes: []vault.Path{"Garden/Beds.md"}}, "Garden/Beds.md"},
			{index.Query{Text: "keep", Notes: []vault.Path{}}, ""},
			{index.Query{Text: "keep", When: []dates.Range{{Until: day}}, TimeOnly: true}, ""},
			{index.Query{Text: "compost", When: []dates.Range{{From: day}}, TimeOnly: true}, "Garden/Beds.md"},
			{index.Query{Text: "wrist", When: []dates.Range{{From: day}}, TimeOnly: true}, ""},
			{index.Query{Tags: []string{"garden"}}, "Garden/Beds.md"},
			{index.Query{Folder: "Diary"}, ""},
			{index.Query{}, ""},
			{index.Query{Text: `" ( ) * ^ - : "" NEAR(`}, ""},
			{index.Query{Text: "wrist AND", Limit: 1}, "Piano/Wrist.md"},
		} {
			if got := paths(search(t, s, tt.query)); got != tt.want {
				t.Errorf("%s %+v:\n got %s\nwant %s", name, tt.query, got, tt.want)
			}
		}
	}
}

// A word that stands nowhere gives way to one that it begins, or may be a slip of, as
// far as the index knows the words that there are.
func TestUnknownWord(t *testing.T) {
	src := newMemory(map[string]string{"Wrist.md": "The wrist leads the arm.\n", "Russian.md": "Зелёный чай и йогурт\n"})
	s := index.Searcher{Source: src, Index: synced(t, src)}
	for text, want := range map[string]string{"wris": "Wrist.md", "иогурт": "Russian.md"} {
		if got := paths(search(t, s, index.Query{Text: text})); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestHitPlaces(t *testing.T) {
	long := strings.Repeat("word ", 100) + "the needle lies here " + strings.Repeat("tail ", 100)
	src := newMemory(map[string]string{
		"Scales.md": "intro\n\n# Motion\n\nBoth thumbs.\n\n## Fingering\n\n> - count \x1b[31maloud\x07\u202e, slowly\nmore\n",
		"Long.md":   "# Long\n\n" + long + "\n",
	})
	for name, s := range searchers(t, src) {
		h := search(t, s, index.Query{Text: "aloud count"})[0]
		want := index.Hit{Path: "Scales.md", Title: "Scales", Heading: "Fingering", Start: 7, End: 10, Line: 9, Snippet: "count [31maloud, slowly", Score: h.Score}
		if diff := cmp.Diff(want, h, cmpopts.IgnoreUnexported(index.Hit{}), cmpopts.IgnoreFields(index.Hit{}, "Shares")); diff != "" || h.Score <= 0 {
			t.Errorf("%s: %s", name, diff)
		}
		h = search(t, s, index.Query{Text: "needle"})[0]
		if n := len([]rune(h.Snippet)); n > 162 || !strings.Contains(h.Snippet, "the needle lies") || !strings.HasPrefix(h.Snippet, "…") || !strings.HasSuffix(h.Snippet, "…") {
			t.Errorf("%s: snippet of %d runes: %q", name, n, h.Snippet)
		}
		if h = search(t, s, index.Query{Text: "scales"})[0]; h.Path != "Scales.md" || h.Line != 1 {
			t.Errorf("%s: by its name: %+v", name, h)
		}
	}
}

func TestApply(t *testing.T) {
	src := newMemory(map[string]string{"a.md": "walnut", "b.md": "chestnut", "c.md": "hazel"})
	x := synced(t, src)
	s := index.Searcher{Source: src, Index: x}
	apply := func(cs ...vault.Change) {
		t.Helper()
		check(t, x.Apply(t.Context(), cs, src))
		// Were the source read instead, the test would not test the index.
		if !x.Ready() {
			t.Fatal("not ready")
		}
	}
	expect := func(query, want string) {
		t.Helper()
		if got := paths(search(t, s, index.Query{Text: query})); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	src.put("a.md", "almond")
	expect("almond", "") // the index decides
	apply(vault.Change{Op: vault.Modified, Path: "a.md"})
	expect("almond", "a.md")
	expect("walnut", "")

	src.put("new.md", "pecan")
	src.put("pic.png", "pecan")
	apply(vault.Change{Op: vault.Created, Path: "new.md"}, vault.Change{Op: vault.Created, Path: "pic.png"})
	expect("pecan", "new.md")

	src.remove("b.md")
	src.put("sub/moved.md", "chestnut")
	apply(vault.Change{Op: vault.Renamed, From: "b.md", Path: "sub/moved.md"})
	expect("chestnut", "sub/moved.md")
	expect("moved", "sub/moved.md")

	src.remove("c.md")
	expect("hazel", "") // gone from the vault, so from the answers, before the index knows
	apply(vault.Change{Op: vault.Removed, Path: "c.md"})
	src.put("c.md", "other")
	expect("hazel", "")

	src.put("a.md", "private: true\nalmond")
	expect("almond", "")
	apply(vault.Change{Op: vault.Modified, Path: "a.md"})
	src.put("a.md", "open again")
	expect("almond", "") // its words have left the index
}

// Private notes leave no word in the file.
func TestPrivateNotesAreNotOnDisk(t *testing.T) {
	src := newMemory(map[string]string{"a.md": "private: true\nxyzzyplugh", "b.md": "frobozzword"})
	dir := t.TempDir()
	x := open(t, dir)
	check(t, x.Sync(t.Context(), src))
	var all []byte
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		data, err := os.ReadFile(f)
		check(t, err)
		all = append(all, data...)
	}
	if !bytes.Contains(all, []byte("frobozzword")) {
		t.Error("the other note is not there either: the test looks in the wrong place")
	}
	if bytes.Contains(all, []byte("xyzzyplugh")) {
		t.Error("words of a private note are in the index file")
	}
}

func TestSyncReadsOnlyWhatChanged(t *testing.T) {
	src := generateNotes(50)
	dir := t.TempDir()
	x := open(t, dir)
	if x.Ready() {
		t.Error("ready before the first Sync")
	}
	must := func(err error) {
		t.Helper()
		check(t, err)
	}
	must(x.Sync(t.Context(), src))
	if src.reads != 50 {
		t.Errorf("first: %d reads", src.reads)
	}
	must(x.Sync(t.Context(), src))
	if src.reads != 50 {
		t.Errorf("second: %d reads", src.reads-50)
	}
	first := src.Notes()[0]
	src.put("new.md", "pecan")
	src.remove(string(src.Notes()[7].Path))
	src.put(string(first.Path), "quince")
	must(x.Close())

	y := open(t, dir) // as the next start of the program
	if !y.Ready() {
		t.Error("not ready after a restart")
	}
	must(y.Sync(t.Context(), src))
	if src.reads != 52 {
		t.Errorf("third: %d reads, want 2", src.reads-50)
	}
	if got := paths(search(t, index.Searcher{Source: src, Index: y}, index.Query{Text: "quince pecan"})); !strings.Contains(got, "new.md") || !strings.Contains(got, string(first.Path)) {
		t.Errorf("after restart: %s", got)
	}
}

// A Sync that is cancelled at any read leaves an index that works, and the
// next one finishes what it began.
func TestSyncCancelled(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	src := generateNotes(700)
	src.put("needle.md", "needleword")
	for _, at := range []int{1, 299, 300, 301, 650} {
		dir := t.TempDir()
		x := open(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		src.reads = 0
		src.onto = func(n int) {
			if n == at {
				cancel()
			}
		}
		if err := x.Sync(ctx, src); !errors.Is(err, context.Canceled) {
			t.Fatalf("at %d: %v", at, err)
		}
		cancel()
		src.onto = nil
		if x.Ready() {
			t.Errorf("at %d: ready though not complete", at)
		}
		s := index.Searcher{Source: src, Index: x}
		if got := paths(search(t, s, index.Query{Text: "needleword"})); got != "needle.md" {
			t.Errorf("at %d: before: %q", at, got)
		}
		check(t, x.Close())
		src.reads = 0
		x = open(t, dir)
		check(t, x.Sync(t.Context(), src))
		if kept := 701 - src.reads; kept < at-300 {
			t.Errorf("at %d: of that only %d notes were kept", at, kept)
		}
		s.Index = x
		if got := paths(search(t, s, index.Query{Text: "needleword"})); got != "needle.md" || !x.Ready() {
			t.Errorf("at %d: after: %q, ready %v", at, got, x.Ready())
		}
	}
}

func TestTwoHandles(t *testing.T) {
	src := generateNotes(300)
	dir := t.TempDir()
	x, y := open(t, dir), open(t, dir)
	var wg sync.WaitGroup
	for _, h := range []*index.Index{x, y} {
		wg.Go(func() {
			if err := h.Sync(context.WithoutCancel(t.Context()), src); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	src.put("needle.md", "needleword")
	if err := x.Apply(t.Context(), []vault.Change{{Op: vault.Created, Path: "needle.md"}}, src); err != nil {
		t.Fatal(err)
	}
	hits := search(t, index.Searcher{Source: src, Index: y}, index.Query{Text: "needleword"})
	if len(hits) != 1 || !y.Ready() {
		t.Errorf("the other handle finds %+v", hits)
	}
	// Nothing is in it twice.
	n := src.Notes()[3]
	hits = search(t, index.Searcher{Source: src, Index: y}, index.Query{Text: n.Title[strings.LastIndex(n.Title, " ")+1:], Notes: []vault.Path{n.Path}})
	if len(hits) != 1 {
		t.Errorf("a note is found %d times", len(hits))
	}
}

// The file is derived: whatever happens to it, answers and Sync go on.
func TestFileDamaged(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, file string)
	}{
		{"garbage", func(t *testing.T, file string) { write(t, file, bytes.Repeat([]byte("garbage "), 2000)) }},
		{"empty", func(t *testing.T, file string) { write(t, file, nil) }},
		{"torn", func(t *testing.T, file string) {
			data, err := os.ReadFile(file)
			check(t, err)
			write(t, file, data[:len(data)/2])
		}},
		{"bad pages", func(t *testing.T, file string) {
			data, err := os.ReadFile(file)
			check(t, err)
			for i := 4096; i < len(data); i++ {
				data[i] ^= 0x5a
			}
			write(t, file, data)
		}},
		{"deleted", func(t *testing.T, file string) {
			for _, f := range []string{file, file + "-wal", file + "-shm"} {
				if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Skip(err) // a system that keeps open files
				}
			}
		}},
	} {
		for _, inUse := range []bool{false, true} {
			if inUse && tt.name != "deleted" {
				continue // nobody may write into a file that is in use
			}
			t.Run(fmt.Sprintf("%s/in use %v", tt.name, inUse), func(t *testing.T) {
				src := generateNotes(60)
				src.put("needle.md", "needleword")
				dir := t.TempDir()
				x := open(t, dir)
				check(t, x.Sync(t.Context(), src))
				if !inUse {
					check(t, x.Close())
				}
				files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
				tt.do(t, files[0])
				if !inUse {
					x = open(t, dir)
				}
				s := index.Searcher{Source: src, Index: x}
				for range 2 {
					if got := paths(search(t, s, index.Query{Text: "needleword"})); got != "needle.md" {
						t.Errorf("found %q", got)
					}
				}
				src.put("needle.md", "changed needleword")
				check(t, x.Sync(t.Context(), src))
				if got := search(t, s, index.Query{Text: "changed needleword"}); paths(got) != "needle.md" || !x.Ready() {
					t.Errorf("after Sync: %+v, ready %v", got, x.Ready())
				}
				if _, err := os.Stat(files[0]); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	check(t, os.WriteFile(file, data, 0o600))
}

func TestOpenErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	if _, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(file, "sub"), Vault: "v"}); err == nil || !strings.Contains(err.Error(), "open search index") {
		t.Errorf("err = %v", err)
	}
	dir := filepath.Join(t.TempDir(), "cache 100% #1?")
	x := open(t, dir)
	if files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite")); len(files) != 1 {
		t.Errorf("files %v", files)
	} else if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v %v", info.Mode(), err)
	}
	check(t, x.Close())
	if err := x.Sync(t.Context(), newMemory(nil)); err == nil {
		t.Error("Sync after Close gives no error")
	}
	src := newMemory(map[string]string{"a.md": "walnut"})
	if got := paths(search(t, index.Searcher{Source: src, Index: x}, index.Query{Text: "walnut"})); got != "a.md" {
		t.Errorf("a closed index answers %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (index.Searcher{Source: src}).Search(ctx, index.Query{Text: "walnut"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A note may change between what is known of it and its reading.
func TestStaleHeadings(t *testing.T) {
	src := newMemory(map[string]string{"a.md": "# One\n\ntext\n\n# Two\n\nwalnut\n"})
	for name, s := range searchers(t, src) {
		src.mu.Lock()
		src.texts["a.md"] = "# One\nwalnut"
		src.mu.Unlock()
		h := search(t, s, index.Query{Text: "walnut"})
		if len(h) != 1 || h[0].Line != 2 {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// A note that became private, and that neither the index nor the list of notes
// knows as such yet, shows nothing of itself.
func TestPrivateSinceListed(t *testing.T) {
	v := vaulttest.New(t, `
-- Harvest.md --
# Walnut harvest

Forty sacks.
-- Other.md --
A walnut.
`)
	ways := searchers(t, v)
	vaulttest.Write(t, v, "Harvest.md", "---\nprivate: true\n---\n# Walnut harvest\n\nForty sacks, in secret.\n")
	for name, s := range ways {
		for _, q := range []index.Query{{Text: "walnut"}, {Text: "harvest walnut"}} {
			if got := paths(search(t, s, q)); got != "Other.md" {
				t.Errorf("%s %q: %q", name, q.Text, got)
			}
		}
		if got := paths(search(t, s, index.Query{Text: "harvest"})); got != "" { // its name
			t.Errorf("%s by name: %q", name, got)
		}
		if got := paths(search(t, s, index.Query{When: []dates.Range{{Until: time.Now().Add(time.Hour)}}, TimeOnly: true})); got != "Other.md" {
			t.Errorf("%s newest: %q", name, got)
		}
	}
}

// What ibid hides in a saved chat is not found, and the lines keep their numbers.
func TestHiddenIsNotFound(t *testing.T) {
	src := newMemory(map[string]string{"Chats/a.md": "<!-- ibid {\"v\":2,\"turns\":[\n{\"h\":\"abcd\",\"n\":[\"zucchini\"]}\n]} -->\n\n**user**: Which marrow?\n"})
	for name, s := range searchers(t, src) {
		for text, line := range map[string]int{"zucchini": 0, "marrow": 5} {
			hits, err := s.Search(t.Context(), index.Query{Text: text})
			if err != nil || len(hits) != min(line, 1) || line > 0 && hits[0].Line != line {
				t.Errorf("%s: %q finds %+v, %v", name, text, hits, err)
			}
		}
	}
}

// Of a word that most notes hold, the note with it in the title is found, however
// old it is.
func TestTitleAmongMany(t *testing.T) {
	src := newMemory(map[string]string{"Meeting habits.md": "Stand up.\n"})
	src.notes["Meeting habits.md"].ModTime = day.AddDate(-3, 0, 0)
	for i := range 2500 {
		src.put(fmt.Sprintf("%d.md", i), "A meeting of four.\n")
	}
	for name, s := range searchers(t, src) {
		if hits := search(t, s, index.Query{Text: "meeting", Limit: 5}); len(hits) != 5 || hits[0].Path != "Meeting habits.md" {
			t.Errorf("%s: %v", name, hits)
		}
	}
}

// Of two words that are both too frequent to look at all notes with them, the note with both
// is found, however old it is, and without one the notes with either.
func TestFrequentWords(t *testing.T) {
	src := newMemory(nil)
	for i := range 4 {
		src.put(fmt.Sprintf("a%d.md", i), strings.Repeat("# June\n\nThe budget.\n\n", 2000))
		src.put(fmt.Sprintf("b%d.md", i), strings.Repeat("# June\n\nA meeting.\n\n", 2000))
	}
	x := synced(t, src)
	s := index.Searcher{Source: src, Index: x}
	if hits := search(t, s, index.Query{Text: "budget meeting"}); len(hits) == 0 {
		t.Error("nothing is found")
	}
	src.put("Both.md", "A meeting about the budget.\n").ModTime = day.AddDate(-3, 0, 0)
	s.Index = synced(t, src)
	if got := paths(search(t, s, index.Query{Text: "budget meeting"})); !strings.Contains(got, "Both.md") {
		t.Errorf("the note with both is not found: %s", got)
	}
}

// A digit or a letter tells apart notes that are alike otherwise.
func TestDigits(t *testing.T) {
	m := newMemory(nil)
	for i := range 9 {
		m.put(fmt.Sprintf("Lesson %d.md", i+1), fmt.Sprintf("Scales and chords of lesson %d, played slowly.", i+1))
		m.put(fmt.Sprintf("Vitamin %c.md", 'A'+i), fmt.Sprintf("What vitamin %c does, and how much of it is enough.", 'A'+i))
	}
	for name, s := range searchers(t, m) {
		for text, want := range map[string]vault.Path{
			"lesson chords 7": "Lesson 7.md", "scales 7": "Lesson 7.md", "chords of lesson 7": "Lesson 7.md",
			"enough vitamin b": "Vitamin B.md", "how much vitamin h is enough": "Vitamin H.md",
		} {
			if hits := search(t, s, index.Query{Text: text}); len(hits) == 0 || hits[0].Path != want {
				t.Errorf("%s: %q: %s", name, text, paths(hits))
			}
		}
	}
}
