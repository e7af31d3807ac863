package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

var (
	teaPane  = leaf("a1", "markdown", "Tea/Sencha.md")
	potPane  = leaf("a2", "markdown", "Tea/Kyusu.md")
	listPane = leaf("f1", "file-explorer", "")
	termPane = leaf("x1", "terminal:terminal", "")
)

type activeCase struct {
	name string
	ws   obj
	want Path
}

func checkActive(t *testing.T, tests []activeCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ws, err := ParseWorkspace(encode(t, tt.ws))
			if err != nil || ws.Active != tt.want {
				t.Errorf("active = %q, %v; want %q", ws.Active, err, tt.want)
			}
		})
	}
}

func TestParseWorkspaceActivePane(t *testing.T) {
	checkActive(t, []activeCase{
		{"the active pane of the main area", obj{"main": split(tabs(1, teaPane, potPane)), "active": "a2"}, "Tea/Kyusu.md"},
		{"even when its group shows another tab", obj{"main": split(tabs(0, teaPane, potPane)), "active": "a2"}, "Tea/Kyusu.md"},
		{"old files hang leaves below splits", obj{"main": split(split(teaPane), potPane), "active": "a1"}, "Tea/Sencha.md"},
		{"a popout window", obj{"main": split(tabs(0, teaPane)), "floating": popout(tabs(0, potPane)), "active": "a2"}, "Tea/Kyusu.md"},
		{"a note in the sidebar that has the focus", obj{"main": split(tabs(0, teaPane)), "right": split(tabs(0, potPane)), "active": "a2"}, "Tea/Kyusu.md"},
		{"a note in the sidebar without the focus", obj{"main": split(tabs(0, teaPane)), "right": split(tabs(0, potPane)), "active": "a1"}, "Tea/Sencha.md"},
		{"an outline that has the focus speaks of its file", obj{
			"main": split(tabs(0, teaPane), tabs(0, potPane)), "right": split(tabs(0, leaf("o", "outline", "Tea/Kyusu.md"))), "active": "o",
		}, "Tea/Kyusu.md"},
		{"a plugin's view of a note", obj{"main": split(tabs(0, leaf("k", "kanban", "Board.md"))), "active": "k"}, "Board.md"},
		{"a picture", obj{"main": split(tabs(0, leaf("k", "image", "art/leaf.png"))), "active": "k"}, "art/leaf.png"},

		{"an empty tab is no note", obj{"main": split(tabs(0, leaf("e", "empty", "")), tabs(0, teaPane)), "active": "e"}, ""},
		{"nor is the graph", obj{"main": split(tabs(1, teaPane, leaf("g", "graph", ""))), "active": "g"}, ""},
		{"nor a plugin's view without a file", obj{"main": split(tabs(1, teaPane, leaf("g", "release-notes", ""))), "active": "g"}, ""},
		{"nor a file outside the vault", obj{"main": split(tabs(0, leaf("p", "markdown", "../../etc/passwd"))), "active": "p"}, ""},
	})
}

// The active pane is no place to read in, or there is none.
func TestParseWorkspaceBeside(t *testing.T) {
	hint := func(file string, extra ...obj) obj { return leaf("h-"+file, "backlink", file, extra...) }
	checkActive(t, []activeCase{
		{"focus in the file list: the visible tab", obj{"main": split(tabs(1, teaPane, potPane)), "left": split(tabs(0, listPane)), "active": "f1"}, "Tea/Kyusu.md"},
		{"no currentTab means the first", obj{"main": split(tabs(0, teaPane, potPane)), "left": split(tabs(0, listPane)), "active": "f1"}, "Tea/Sencha.md"},
		{"currentTab beyond the end", obj{"main": split(tabs(7, teaPane, potPane)), "left": split(tabs(0, listPane)), "active": "f1"}, "Tea/Sencha.md"},
		{"focus in a drawer of the phone", obj{
			"main": split(tabs(0, teaPane)), "left": obj{"type": "mobile-drawer", "children": []any{listPane}, "currentTab": 0}, "active": "f1",
		}, "Tea/Sencha.md"},
		{"an active id that no pane has", obj{"main": split(tabs(0, teaPane)), "active": "gone"}, "Tea/Sencha.md"},
		{"no active id", obj{"main": split(tabs(0, teaPane))}, "Tea/Sencha.md"},
		{"focus in the sidebar, graph in front", obj{"main": split(tabs(1, teaPane, leaf("g", "graph", ""))), "left": split(tabs(0, listPane)), "active": "f1"}, ""},
		{"two groups on the same note", obj{"main": split(tabs(0, teaPane), tabs(0, teaPane)), "left": split(tabs(0, listPane)), "active": "f1"}, "Tea/Sencha.md"},
		{"two groups, the backlinks tell", obj{
			"main": split(tabs(0, teaPane), tabs(0, potPane)), "left": split(tabs(0, listPane)), "right": split(tabs(0, hint("Tea/Kyusu.md"))), "active": "f1",
		}, "Tea/Kyusu.md"},
		{"two groups, nothing tells", obj{"main": split(tabs(0, teaPane), tabs(0, potPane)), "left": split(tabs(0, listPane)), "active": "f1"}, ""},
		{"two groups, panes that disagree", obj{
			"main":   split(tabs(0, teaPane), tabs(0, potPane)),
			"left":   split(tabs(0, listPane)),
			"right":  split(tabs(0, hint("Tea/Kyusu.md"), leaf("o", "outline", "Tea/Sencha.md"))),
			"active": "f1",
		}, ""},
		{"a pinned or linked pane keeps its own file", obj{
			"main":   split(tabs(0, teaPane), tabs(0, potPane)),
			"left":   split(tabs(0, listPane)),
			"right":  split(tabs(0, hint("Tea/Kyusu.md", obj{"pinned": true}), hint("Tea/Kyusu.md", obj{"group": "g"}), leaf("o", "outline", "Tea/Sencha.md"))),
			"active": "f1",
		}, "Tea/Sencha.md"},

		{"a terminal beside the note", obj{"main": split(tabs(0, teaPane), tabs(0, termPane)), "active": "x1"}, "Tea/Sencha.md"},
		{"a terminal in front of the only note", obj{"main": split(tabs(1, teaPane, termPane)), "active": "x1"}, "Tea/Sencha.md"},
		{"a terminal in front of two notes", obj{
			"main": split(tabs(2, teaPane, potPane, termPane)), "right": split(tabs(0, hint("Tea/Kyusu.md"))), "active": "x1",
		}, "Tea/Kyusu.md"},
		{"a terminal in front of two notes, nothing tells", obj{"main": split(tabs(2, teaPane, potPane, termPane)), "active": "x1"}, ""},
		{"a terminal in the sidebar", obj{"main": split(tabs(0, teaPane)), "right": split(tabs(0, termPane)), "active": "x1"}, "Tea/Sencha.md"},

		{"never the list of recent files", obj{"main": split(tabs(0, leaf("e", "empty", ""))), "active": "e", "lastOpenFiles": []any{"Tea/Sencha.md"}}, ""},
		{"a file with a ribbon only", obj{"left-ribbon": obj{"hiddenItems": obj{}}, "lastOpenFiles": []any{"Tea/Sencha.md"}}, ""},
		{"an empty object", obj{}, ""},
	})
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
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Path{"A.md", "B.md", "Side.md"}, ws.Pins); diff != "" {
		t.Errorf("pins (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Path{"A.md", "B.md", "C.md", "D.pdf"}, ws.Tabs); diff != "" {
		t.Errorf("tabs (-want +got):\n%s", diff)
	}
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

func atHour(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }

// showing is a workspace file with one note in front, last written at an hour.
func showing(t *testing.T, note Path, hour int) *fstest.MapFile {
	t.Helper()
	data := encode(t, obj{"main": split(tabs(0, leaf("a", "markdown", string(note)))), "active": "a"})
	return &fstest.MapFile{Data: data, ModTime: atHour(hour)}
}

func readFrom(source string, note Path, hour int) Workspace {
	return Workspace{Active: note, Tabs: []Path{note}, Source: source, When: atHour(hour)}
}

type readCase struct {
	name string
	fsys fstest.MapFS
	want Workspace
}

func checkRead(t *testing.T, tests []readCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadWorkspace(tt.fsys)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

var settings = &fstest.MapFile{Data: []byte("{}")}

func TestReadWorkspaceFile(t *testing.T) {
	checkRead(t, []readCase{
		{
			"the usual place",
			fstest.MapFS{".obsidian/workspace.json": showing(t, "A.md", 9)},
			readFrom(".obsidian/workspace.json", "A.md", 9),
		},
		{
			"the old name, newer",
			fstest.MapFS{".obsidian/workspace.json": showing(t, "A.md", 9), ".obsidian/workspace": showing(t, "B.md", 10)},
			readFrom(".obsidian/workspace", "B.md", 10),
		},
		{
			"the old name, older",
			fstest.MapFS{".obsidian/workspace.json": showing(t, "A.md", 9), ".obsidian/workspace": showing(t, "B.md", 8)},
			readFrom(".obsidian/workspace.json", "A.md", 9),
		},
		{
			"the phone's is another device",
			fstest.MapFS{".obsidian/workspace.json": showing(t, "A.md", 9), ".obsidian/workspace-mobile.json": showing(t, "M.md", 12)},
			readFrom(".obsidian/workspace.json", "A.md", 9),
		},
		{
			"unless it is the only one",
			fstest.MapFS{".obsidian/workspace-mobile.json": showing(t, "M.md", 12)},
			readFrom(".obsidian/workspace-mobile.json", "M.md", 12),
		},
		{"named layouts are not live", fstest.MapFS{".obsidian/workspaces.json": showing(t, "W.md", 12), ".obsidian/app.json": settings}, Workspace{}},
	})
}

func TestReadWorkspaceFolder(t *testing.T) {
	checkRead(t, []readCase{
		{
			"a renamed config folder",
			fstest.MapFS{".config-pc/workspace.json": showing(t, "A.md", 9), ".git/config": settings},
			readFrom(".config-pc/workspace.json", "A.md", 9),
		},
		{
			"two renamed ones: the newer",
			fstest.MapFS{".a/workspace.json": showing(t, "A.md", 9), ".b/workspace.json": showing(t, "B.md", 10), ".obsidian/app.json": settings},
			readFrom(".b/workspace.json", "B.md", 10),
		},
		{
			"the usual one before a newer other",
			fstest.MapFS{".obsidian/workspace.json": showing(t, "A.md", 9), ".phone/workspace.json": showing(t, "B.md", 10)},
			readFrom(".obsidian/workspace.json", "A.md", 9),
		},
		{"a folder without Obsidian", fstest.MapFS{"A.md": settings}, Workspace{}},
	})
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
		if got := ConfigDir(tt.fsys); got != tt.want {
			t.Errorf("ConfigDir = %q, want %q", got, tt.want)
		}
	}
}

// Obsidian truncates the file and then writes it. Whoever reads in between may
// learn nothing, but never that no note is open.
func TestReadWorkspaceTorn(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, ".obsidian", "workspace.json")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	text := [2][]byte{}
	for i, note := range []string{"A.md", "B.md"} {
		text[i] = encode(t, obj{
			"main": split(tabs(0, leaf("a", "markdown", note))), "active": "a",
			"filler": strings.Repeat("x", 9000*(i+1)),
		})
	}
	if err := os.WriteFile(name, text[0], 0o644); err != nil {
		t.Fatal(err)
	}
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
			if err != nil {
				t.Fatal(err)
			}
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
	f.Add(encode(f, obj{"main": split(leaf("a", "terminal", "")), "floating": popout(tabs(0, leaf("c", "pdf", "x/../C.pdf")))}))
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
			leaves = append(leaves, leaf(fmt.Sprintf("%08x%08x", g, i), "markdown", fmt.Sprintf("Folder %d/A note of some length %d.md", g, i)))
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
		if _, err := ParseWorkspace(data); err != nil {
			b.Fatal(err)
		}
	}
}

func encode(tb testing.TB, v any) []byte {
	tb.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
