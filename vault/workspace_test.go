package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The builders below write workspace files the way Obsidian nests them.

type obj = map[string]any

func leaf(id, view, file string, extra ...obj) obj {
	inner := obj{}
	if file != "" {
		inner["file"] = file
	}
	l := obj{"id": id, "type": "leaf", "state": obj{"type": view, "state": inner}}
	for _, e := range extra {
		for k, v := range e {
			l[k] = v
		}
	}
	return l
}

func tabs(current int, leaves ...any) obj {
	t := obj{"id": "t", "type": "tabs", "children": leaves}
	if current > 0 { // Obsidian leaves the key out for the first tab
		t["currentTab"] = current
	}
	return t
}

func split(children ...any) obj { return obj{"id": "s", "type": "split", "children": children} }

func popout(children ...any) obj {
	return obj{"id": "f", "type": "floating", "children": []any{obj{"id": "w", "type": "window", "children": children}}}
}

// panes are those of the layouts below.
var panes = map[string]obj{
	"tea": leaf("tea", "markdown", "Tea/Sencha.md"), "pot": leaf("pot", "markdown", "Tea/Kyusu.md"),
	"list": leaf("list", "file-explorer", ""), "term": leaf("term", "terminal:terminal", ""),
	"graph": leaf("graph", "graph", ""),
	"empty": leaf("empty", "empty", ""), "notes": leaf("notes", "release-notes", ""),
	"board": leaf("board", "kanban", "Board.md"),
	"pic":   leaf("pic", "image", "art/leaf.png"), "out": leaf("out", "markdown", "../../etc/passwd"),
	"outline": leaf("outline", "outline", "Tea/Sencha.md"), "outlinepot": leaf("outlinepot", "outline", "Tea/Kyusu.md"),
	"links":  leaf("links", "backlink", "Tea/Kyusu.md"),
	"pinned": leaf("pinned", "backlink", "Tea/Kyusu.md", obj{"pinned": true}),
	"linked": leaf("linked", "backlink", "Tea/Kyusu.md", obj{"group": "g"}),
}

// layout returns a workspace: areas separated by semicolons, in each the groups of tabs
// separated by slashes, with the number of the tab in front; or JSON.
func layout(t *testing.T, text string) []byte {
	if strings.HasPrefix(text, "{") {
		return []byte(text)
	}
	ws := obj{}
	for area := range strings.SplitSeq(text, "; ") {
		name, rest, _ := strings.Cut(area, " ")
		if name == "active" {
			ws[name] = rest
			continue
		}
		var groups []any
		for group := range strings.SplitSeq(rest, " / ") {
			words := strings.Fields(group)
			current, err := strconv.Atoi(words[0])
			check(t, err)
			var leaves []any
			for _, w := range words[1:] {
				leaves = append(leaves, panes[w])
			}
			groups = append(groups, tabs(current, leaves...))
		}
		if ws[name] = split(groups...); name == "floating" {
			ws[name] = popout(groups...)
		}
	}
	return encode(t, ws)
}

// activePanes has a case per line: a layout => the active note.
const activePanes = `
the active pane of the main area: main 1 tea pot; active pot => Tea/Kyusu.md
even when its group shows another tab: main 0 tea pot; active pot => Tea/Kyusu.md
old files hang leaves below splits: {"main":{"type":"split","children":[{"type":"split","children":[{"id":"a1","type":"leaf","state":{"type":"markdown","state":{"file":"Tea/Sencha.md"}}}]},{"id":"a2","type":"leaf","state":{"type":"markdown","state":{"file":"Tea/Kyusu.md"}}}]},"active":"a1"} => Tea/Sencha.md
a popout window: main 0 tea; floating 0 pot; active pot => Tea/Kyusu.md
a note in the sidebar that has the focus: main 0 tea; right 0 pot; active pot => Tea/Kyusu.md
a note in the sidebar without the focus: main 0 tea; right 0 pot; active tea => Tea/Sencha.md
an outline that has the focus speaks of its file: main 0 tea / 0 pot; right 0 outlinepot; active outlinepot => Tea/Kyusu.md
a plugin's view of a note: main 0 board; active board => Board.md
a picture: main 0 pic; active pic => art/leaf.png

an empty tab is no note: main 0 empty / 0 tea; active empty =>
nor is the graph: main 1 tea graph; active graph =>
nor a plugin's view without a file: main 1 tea notes; active notes =>
nor a file outside the vault: main 0 out; active out =>

focus in the file list, the visible tab: main 1 tea pot; left 0 list; active list => Tea/Kyusu.md
no currentTab means the first: main 0 tea pot; left 0 list; active list => Tea/Sencha.md
currentTab beyond the end: main 7 tea pot; left 0 list; active list => Tea/Sencha.md
focus in a drawer of the phone: {"main":{"type":"split","children":[{"type":"tabs","children":[{"id":"a1","type":"leaf","state":{"type":"markdown","state":{"file":"Tea/Sencha.md"}}}]}]},"left":{"type":"mobile-drawer","children":[{"id":"f1","type":"leaf","state":{"type":"file-explorer","state":{}}}],"currentTab":0},"active":"f1"} => Tea/Sencha.md
an active id that no pane has: main 0 tea; active gone => Tea/Sencha.md
no active id: main 0 tea => Tea/Sencha.md
focus in the sidebar, graph in front: main 1 tea graph; left 0 list; active list =>
two groups on the same note: main 0 tea / 0 tea; left 0 list; active list => Tea/Sencha.md
two groups, the backlinks tell: main 0 tea / 0 pot; left 0 list; right 0 links; active list => Tea/Kyusu.md
two groups, nothing tells: main 0 tea / 0 pot; left 0 list; active list =>
two groups, panes that disagree: main 0 tea / 0 pot; left 0 list; right 0 links outline; active list =>
a pinned or linked pane keeps its own file: main 0 tea / 0 pot; left 0 list; right 0 pinned linked outline; active list => Tea/Sencha.md

a terminal beside the note: main 0 tea / 0 term; active term => Tea/Sencha.md
a terminal in front of the only note: main 1 tea term; active term => Tea/Sencha.md
a terminal in front of two notes: main 2 tea pot term; right 0 links; active term => Tea/Kyusu.md
a terminal in front of two notes, nothing tells: main 2 tea pot term; active term =>
a terminal in the sidebar: main 0 tea; right 0 term; active term => Tea/Sencha.md

never the list of recent files: {"main":{"type":"split","children":[{"type":"tabs","children":[{"id":"e","type":"leaf","state":{"type":"empty","state":{}}}]}]},"active":"e","lastOpenFiles":["Tea/Sencha.md"]} =>
a file with a ribbon only: {"left-ribbon":{"hiddenItems":{}},"lastOpenFiles":["Tea/Sencha.md"]} =>
an empty object: {} =>
`

func TestParseWorkspaceActivePane(t *testing.T) {
	for line := range strings.Lines(activePanes) {
		name, row, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, want, _ := strings.Cut(row, " =>")
			ws, err := ParseWorkspace(layout(t, text))
			if want = strings.TrimSpace(want); err != nil || string(ws.Active) != want {
				t.Errorf("active = %q, %v; want %q", ws.Active, err, want)
			}
		})
	}
}

func TestParseWorkspacePinsAndTabs(t *testing.T) {
	inState := leaf("p2", "markdown", "B.md")
	inState["state"].(obj)["pinned"] = true
	ws, err := ParseWorkspace(encode(t, obj{
		"main": split(
			tabs(0, leaf("p1", "markdown", "A.md", obj{"pinned": true}), inState, leaf("n", "markdown", "C.md")),
			obj{"type": "tabs", "stacked": true, "dimension": 33.3, "children": []any{
				leaf("again", "markdown", "A.md", obj{"pinned": true}),
				leaf("g", "graph", "", obj{"pinned": true}),
				leaf("lg", "localgraph", "Z.md", obj{"pinned": true}),
			}},
		),
		"floating": popout(tabs(0, leaf("w", "pdf", "D.pdf"))),
		"right": split(tabs(0,
			leaf("side", "markdown", "Side.md", obj{"pinned": true}),
			leaf("bl", "backlink", "Y.md", obj{"pinned": true}))),
	}))
	check(t, err)
	is(t, ws.Pins, []Path{"A.md", "B.md", "Side.md"})
	is(t, ws.Tabs, []Path{"A.md", "B.md", "C.md", "D.pdf"})
}

func TestParseWorkspaceOddValues(t *testing.T) {
	// Plugins and old versions leave values of other types; the rest counts.
	const text = "\xef\xbb\xbf" + `{"main":{"type":"split","children":[{"type":"tabs","currentTab":"1","stacked":"x","children":[
		{"id":"a","type":"leaf","group":7,"pinned":"yes","pane-relief:history-v1":{"pos":0},
		 "state":{"type":"markdown","icon":"lucide-file","title":"T","state":{"file":"Reise/Übersicht 旅.md","mode":1}}},
		null,
		{"id":"b","type":"leaf","state":"none"}]}]},"left":[],"active":"a","ribbon":3}`
	ws, err := ParseWorkspace([]byte(text))
	if err != nil || ws.Active != "Reise/Übersicht 旅.md" {
		t.Errorf("active = %q, %v", ws.Active, err)
	}
}

func TestParseWorkspaceNotYet(t *testing.T) {
	whole := string(encode(t, obj{"main": split(tabs(0, leaf("a", "markdown", "A.md"))), "active": "a"}))
	for _, text := range []string{
		"", " \n", "\x00\x00\x00", "null x", "[]", "3", `"text"`,
		whole + whole,
		"<<<<<<< HEAD\n" + whole,
	} {
		if _, err := ParseWorkspace([]byte(text)); !errors.Is(err, ErrNotYet) {
			t.Errorf("ParseWorkspace(%.20q) = %v, want ErrNotYet", text, err)
		}
	}
	for i := range len(whole) - 1 {
		if _, err := ParseWorkspace([]byte(whole[:i])); !errors.Is(err, ErrNotYet) {
			t.Fatalf("after %d bytes of %d: %v, want ErrNotYet", i, len(whole), err)
		}
	}
}

// workspaceFiles has a case per line: names of files in a vault, the note that each shows and the hour in which it
// was written => the file that is used.
const workspaceFiles = `
the usual place: .obsidian/workspace.json A.md 9 => .obsidian/workspace.json
the old name, newer: .obsidian/workspace.json A.md 9, .obsidian/workspace B.md 10 => .obsidian/workspace
the old name, older: .obsidian/workspace.json A.md 9, .obsidian/workspace B.md 8 => .obsidian/workspace.json
the phone's is another device: .obsidian/workspace.json A.md 9, .obsidian/workspace-mobile.json M.md 12 => .obsidian/workspace.json
unless it is the only one: .obsidian/workspace-mobile.json M.md 12 => .obsidian/workspace-mobile.json
named layouts are not live: .obsidian/workspaces.json W.md 12, .obsidian/app.json =>
a renamed config folder: .config-pc/workspace.json A.md 9, .git/config => .config-pc/workspace.json
two renamed ones, the newer: .a/workspace.json A.md 9, .b/workspace.json B.md 10, .obsidian/app.json => .b/workspace.json
the usual one before a newer other: .obsidian/workspace.json A.md 9, .phone/workspace.json B.md 10 => .obsidian/workspace.json
a folder without Obsidian: A.md =>
`

func TestReadWorkspaceFile(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(workspaceFiles)) {
		name, row, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.Run(name, func(t *testing.T) {
			files, counts, _ := strings.Cut(row, " =>")
			fsys, want := fstest.MapFS{}, Workspace{Source: strings.TrimSpace(counts)}
			for file := range strings.SplitSeq(files, ", ") {
				f := strings.Fields(file + " {} 0")
				hour, _ := strconv.Atoi(f[2])
				at := time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC)
				data := encode(t, obj{"main": split(tabs(0, leaf("a", "markdown", f[1]))), "active": "a"})
				if fsys[f[0]] = (&fstest.MapFile{Data: data, ModTime: at}); f[0] == want.Source {
					want.Active, want.Tabs, want.When = Path(f[1]), []Path{Path(f[1])}, at
				}
			}
			got, err := ReadWorkspace(fsys)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReadWorkspaceHoldsBack(t *testing.T) {
	// The newer file is being written: the older one is no answer.
	_, err := ReadWorkspace(fstest.MapFS{
		".obsidian/workspace":      {Data: encode(t, obj{"active": "a"}), ModTime: time.Unix(100, 0)},
		".obsidian/workspace.json": {ModTime: time.Unix(200, 0)},
	})
	if !errors.Is(err, ErrNotYet) {
		t.Errorf("err = %v, want ErrNotYet", err)
	}
	_, err = ReadWorkspace(fstest.MapFS{".obsidian/workspace.json": {Data: make([]byte, maxWorkspaceLength+1)}})
	if err == nil || errors.Is(err, ErrNotYet) {
		t.Errorf("err = %v, want a refusal of the size", err)
	}
}

func TestFindConfigDir(t *testing.T) {
	empty := &fstest.MapFile{}
	for _, tt := range []struct {
		want string
		fsys fstest.MapFS
	}{
		{".obsidian", fstest.MapFS{}},
		{".obsidian", fstest.MapFS{".a/app.json": empty, ".obsidian/themes/x": empty}},
		{".conf", fstest.MapFS{".conf/app.json": empty, ".git/HEAD": empty, "plain/app.json": empty}},
		{".b", fstest.MapFS{".a/app.json": empty, ".b/workspace.json": empty}},
	} {
		is(t, ConfigDir(tt.fsys), tt.want)
	}
}

// Obsidian truncates the file and then writes it. Whoever reads in between may
// learn nothing, but never that no note is open.
func TestReadWorkspaceTorn(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, ".obsidian", "workspace.json")
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	text := [2][]byte{}
	for i, note := range []string{"A.md", "B.md"} {
		text[i] = encode(t, obj{
			"main": split(tabs(0, leaf("a", "markdown", note))), "active": "a",
			"filler": strings.Repeat("x", 9000*(i+1)),
		})
	}
	check(t, os.WriteFile(name, text[0], 0o644))
	done := make(chan error, 1)
	go func() {
		for i := range 400 {
			if err := writeInPieces(name, text[i%2]); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	reads, notYet := 0, 0
	for fsys := os.DirFS(dir); ; reads++ {
		select {
		case err := <-done:
			check(t, err)
			t.Logf("%d reads, %d during a write", reads, notYet)
			if reads == 0 {
				t.Error("nothing was read")
			}
			return
		default:
		}
		switch ws, err := ReadWorkspace(fsys); {
		case errors.Is(err, ErrNotYet):
			notYet++
		case err != nil:
			t.Fatal(err)
		case ws.Active != "A.md" && ws.Active != "B.md":
			t.Fatalf("active = %q", ws.Active)
		}
	}
}

func writeInPieces(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	for half := range 2 {
		if _, err := f.Write(text[half*len(text)/2 : (half+1)*len(text)/2]); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

func FuzzParseWorkspace(f *testing.F) {
	f.Add(encode(f, obj{"main": split(tabs(1, leaf("a", "markdown", "A.md"), leaf("b", "graph", ""))), "active": "a"}))
	f.Add(encode(f, obj{
		"main": split(leaf("a", "terminal", "")), "floating": popout(tabs(0, leaf("c", "pdf", "x/../C.pdf"))),
	}))
	f.Add([]byte(`{"main":{"children":[{"type":"tabs","currentTab":-4,"children":[{"type":"leaf"}]}]}}`))
	f.Add([]byte(`{"main":[],"active":{}}`))
	f.Add([]byte(strings.Repeat(`{"main":`, 200)))
	f.Fuzz(func(t *testing.T, data []byte) {
		ws, err := ParseWorkspace(data)
		if err != nil {
			if !errors.Is(err, ErrNotYet) {
				t.Fatalf("err = %v", err)
			}
			return
		}
		for _, p := range append(append([]Path{ws.Active}, ws.Pins...), ws.Tabs...) {
			if clean, err := ParsePath(string(p)); err != nil || clean != p {
				t.Fatalf("path %q is not clean", p)
			}
		}
	})
}

func BenchmarkParseWorkspace(b *testing.B) {
	var groups []any
	for g := range 10 {
		var leaves []any
		for i := range 11 {
			leaves = append(leaves, leaf(fmt.Sprintf("%08x%08x", g, i), "markdown",
				fmt.Sprintf("Folder %d/A note of some length %d.md", g, i)))
		}
		groups = append(groups, tabs(3, leaves...))
	}
	data := encode(b, obj{"main": split(groups...), "left": split(tabs(0, leaf("side", "search", ""))), "active": "side"})
	for len(data) < 24_000 {
		data = append(data, ' ')
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := ParseWorkspace(data)
		check(b, err)
	}
}

func encode(tb testing.TB, v any) []byte {
	tb.Helper()
	data, err := json.Marshal(v)
	check(tb, err)
	return data
}
