package usage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/usage"
	"ibid/vault/vaulttest"
)

const garden = "-- Beds.md --\n[[Soil]]\n-- Soil.md --\nLoam.\n-- Rota.md --\nWho waters.\n-- Diary.md --\n---\nprivate: true\n---\nMine.\n-- Chats/Old.md --\n---\nepoch: 1\nmodelKey: m\n---\nHello\n"

var day = time.Date(2026, 3, 14, 23, 30, 0, 0, time.FixedZone("", 3600))

func newFile(t *testing.T) (*vault.Vault, string, *usage.File) {
	t.Helper()
	v := vaulttest.New(t, garden)
	if err := v.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "state")
	return v, dir, usage.NewFile(v, dir)
}

func add(t *testing.T, f *usage.File, chat int64, now time.Time, notes ...vault.Path) {
	t.Helper()
	if err := f.Add(chat, notes, now); err != nil {
		t.Fatal(err)
	}
}

func pairs(t *testing.T, f *usage.File, want int) {
	t.Helper()
	if n, err := f.Status(); n != want || err != nil {
		t.Errorf("%d pairs are kept, want %d (%v)", n, want, err)
	}
}

// TestFile: a pair counts once a chat, for the last 20 chats, and another process reads
// what one wrote. Private notes and what is gone never stand in the file.
func TestFile(t *testing.T) {
	v, dir, f := newFile(t)
	add(t, f, 1, day, "Beds.md")
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("one note alone was written down")
	}
	add(t, f, 1, day, "Rota.md", "Beds.md", "Diary.md", "Gone.md", "Chats/Old.md")
	add(t, f, 1, day, "Beds.md", "Rota.md")
	add(t, f, 2, day, "Beds.md", "Rota.md", "Soil.md")
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{"Diary", "Gone", "Old", dir} {
		if strings.Contains(string(data), no) {
			t.Errorf("the file names %s:\n%s", no, data)
		}
	}
	if !strings.Contains(string(data), `"last": "2026-03-14"`) || !strings.Contains(string(data), `"count": 2`) {
		t.Errorf("the file does not say what was used when:\n%s", data)
	}
	if info, err := os.Stat(f.Name()); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others can read the file: %v, %v", info.Mode(), err)
	}
	other := usage.NewFile(v, dir)
	if c := other.CountsFor("Beds.md").Chats; len(c) != 2 || c["Rota.md"] != 2 || c["Soil.md"] != 1 {
		t.Errorf("another process reads %v", c)
	}
	for chat := range int64(20) {
		add(t, other, 100+chat, day, "Soil.md", "Rota.md")
	}
	if c := f.CountsFor("Rota.md").Chats; c["Beds.md"] != 0 || c["Soil.md"] != 20 {
		t.Errorf("of the last 20 chats: %v", c)
	}
	vaulttest.Write(t, v, "Soil.md", "---\nprivate: true\n---\nMine now.\n")
	if _, err := v.Revalidate(t.Context()); err != nil {
		t.Fatal(err)
	}
	add(t, f, 200, day, "Beds.md", "Rota.md")
	if data, _ := os.ReadFile(f.Name()); strings.Contains(string(data), "Soil") {
		t.Errorf("a note that became private is still named:\n%s", data)
	}
	if err := os.Remove(f.Name()); err != nil {
		t.Fatal(err)
	}
	pairs(t, f, 0)
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestHalved: a count is halved every 30 days, and dropped below one.
func TestHalved(t *testing.T) {
	for _, c := range []struct{ chats, days, want int }{
		{1, 29, 1}, {1, 30, 0}, {2, 59, 1}, {2, 60, 0}, {4, 89, 1}, {4, 90, 0}, {1, -400, 1},
	} {
		_, _, f := newFile(t)
		for chat := range c.chats {
			add(t, f, int64(chat+1), day, "Beds.md", "Rota.md")
		}
		add(t, f, 50, day.AddDate(0, 0, c.days), "Soil.md", "Rota.md")
		pairs(t, f, 1+c.want)
	}
}

// TestBroken: a file that cannot be read stays as it is.
func TestBroken(t *testing.T) {
	for _, text := range []string{"{", `{"version":2}`, "[]", strings.Repeat(" ", 5<<20)} {
		_, dir, f := newFile(t)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Status(); err == nil {
			t.Errorf("%.20q was read", text)
		}
		if err := f.Ignore([]vault.Path{"Beds.md"}, day); err != nil || len(f.CountsFor("Beds.md").Chats) != 0 {
			t.Error(err)
		}
		if err := f.Add(1, []vault.Path{"Beds.md", "Rota.md"}, day); err != nil {
			t.Error(err)
		}
		if data, _ := os.ReadFile(f.Name()); string(data) != text {
			t.Errorf("%.20q did not stay", text)
		}
	}
}

func TestSuggest(t *testing.T) {
	with := usage.Counts{
		Chats:   map[vault.Path]int{"Rota.md": 3, "Once.md": 1, "Tools.md": 2, "Tired.md": 9, "On.md": 9},
		Ignored: map[vault.Path]int{"Tired.md": 2, "Rota.md": 1},
	}
	skip := func(p vault.Path) bool { return p == "On.md" }
	linked := []vault.Path{"Beds.md", "On.md", "Rota.md", "Soil.md", "Seeds.md"}
	around := usage.SuggestionInput{Active: "Beds.md", Linked: linked, With: with}
	got := around.Suggest(skip)
	want := []usage.Suggestion{
		{"Rota.md", "with Beds in 3 chats", "3 chats"},
		{"Tools.md", "with Beds in 2 chats", "2 chats"},
		{"Soil.md", "linked from Beds", "linked"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("suggested %v, want %v", got, want)
	}
	around.Typed, around.Cited = []vault.Path{"Tired.md", "Hoes.md"}, []vault.Path{"Hoes.md", "Soil.md"}
	want = []usage.Suggestion{
		{"Hoes.md", "fits what you type", "fits"}, {"Soil.md", "cited in the last answer", "cited"}, want[0],
	}
	if got := around.Suggest(skip); !slices.Equal(got, want) {
		t.Errorf("suggested %v, want %v", got, want)
	}
	if got := (&usage.SuggestionInput{Active: "Beds.md"}).Suggest(skip); got != nil {
		t.Errorf("suggested %v of nothing", got)
	}
}

func BenchmarkSuggest(b *testing.B) {
	with := usage.Counts{Chats: map[vault.Path]int{}}
	var linked []vault.Path
	for i := range 500 {
		with.Chats[vault.Path(fmt.Sprintf("used %d.md", i))] = i % 20
		linked = append(linked, vault.Path(fmt.Sprintf("linked %d.md", i)))
	}
	around := usage.SuggestionInput{Active: "Beds.md", Linked: linked, With: with}
	for b.Loop() {
		if len(around.Suggest(func(vault.Path) bool { return false })) != 3 {
			b.Fatal("nothing is suggested")
		}
	}
}

// TestCountedOff: what is used while nothing is counted is not kept, and what was counted
// before stays.
func TestCountedOff(t *testing.T) {
	_, _, f := newFile(t)
	add(t, f, 1, day, "Beds.md", "Rota.md")
	f.Off.Store(true)
	add(t, f, 2, day, "Beds.md", "Soil.md")
	if err := f.Ignore([]vault.Path{"Rota.md"}, day); err != nil {
		t.Error(err)
	}
	pairs(t, f, 1)
	f.Off.Store(false)
	add(t, f, 3, day, "Beds.md", "Soil.md")
	pairs(t, f, 2)
}
