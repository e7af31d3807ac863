package vault

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// ErrNotYet says that a workspace file was read in the middle of a write: it is empty or incomplete JSON.
// Obsidian truncates the file before it writes it, so the file says nothing about the active note: keep the
// last state and read again after 50, 200 and 1000 ms.
var ErrNotYet = errors.New("the workspace file is being written")

// Workspace is the last state that Obsidian wrote about its windows. The zero value is an unknown state.
type Workspace struct {
	Active Path      // file in the active pane, "" when there is none or it is uncertain
	Pins   []Path    // files in pinned panes, in the order of the panes, without duplicates
	Tabs   []Path    // files open in the main area and in popout windows, in the order of the tabs, without duplicates
	Source string    // file it was read from, relative to the vault: ".obsidian/workspace.json"
	When   time.Time // modification time of Source
}

const (
	defaultConfigDir   = ".obsidian"
	workspaceFile      = "workspace.json"
	legacyWorkspace    = "workspace"             // name up to Obsidian 0.16
	mobileWorkspace    = "workspace-mobile.json" // panes of another device, copied here by a sync program
	settingsFile       = "app.json"
	maxWorkspaceLength = 8 << 20 // bytes; real files are smaller than 30 KB
)

// ReadWorkspace reads the workspace file in the config folder of the vault fsys: the newer one of
// workspace.json and the older name workspace, or the file of the phone when there is no other. The config
// folder is .obsidian or, when a person renamed it, the dot folder that contains such a file. A vault without
// one gives the zero Workspace. The error is ErrNotYet while the file is being written.
func ReadWorkspace(fsys fs.FS) (_ Workspace, err error) {
	name, _, err := findWorkspace(fsys, ConfigDir(fsys))
	if err != nil || name == "" {
		return Workspace{}, err
	}
	defer describeError(&err, "read workspace %s", name)
	data, when, err := ReadBounded(fsys, name, maxWorkspaceLength)
	if errors.Is(err, fs.ErrNotExist) {
		return Workspace{}, ErrNotYet // it existed a moment ago: it is being replaced
	}
	if err != nil {
		return Workspace{}, err
	}
	ws, err := ParseWorkspace(data)
	if err != nil {
		return Workspace{}, err
	}
	ws.Source, ws.When = name, when
	return ws, nil
}

// ParseWorkspace parses the text of a workspace file. It ignores unknown keys and values of an unexpected type,
// which plugins leave behind; text that is empty or not one whole JSON object gives ErrNotYet. Source and When
// stay empty.
func ParseWorkspace(data []byte) (Workspace, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return Workspace{}, ErrNotYet
	}
	var file struct {
		Main     wsNode `json:"main"`
		Left     wsNode `json:"left"`
		Right    wsNode `json:"right"`
		Floating wsNode `json:"floating"`
		Active   string `json:"active"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		// A value of another type leaves its field empty and the rest intact; a file that is no object at all
		// contains nothing of use.
		var wrongType *json.UnmarshalTypeError
		if !errors.As(err, &wrongType) || wrongType.Field == "" {
			return Workspace{}, fmt.Errorf("%w (%v)", ErrNotYet, err)
		}
	}
	var panes wsPanes
	panes.walk(&file.Main, inMain, true)
	panes.walk(&file.Floating, inPopout, true)
	panes.walk(&file.Left, inSidebar, true)
	panes.walk(&file.Right, inSidebar, true)
	return Workspace{
		Active: panes.active(file.Active),
		Pins:   panes.files(func(p wsPane) bool { return p.pinned && !p.isCompanion() }),
		Tabs:   panes.files(func(p wsPane) bool { return p.place != inSidebar && !p.isCompanion() }),
	}, nil
}

// wsNode is a node of the pane tree: split, tabs, window, mobile-drawer or leaf.
type wsNode struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Children   []wsNode `json:"children"`
	CurrentTab int      `json:"currentTab"` // absent means the first
	Pinned     bool     `json:"pinned"`
	Group      string   `json:"group"`
	State      struct {
		Type   string `json:"type"`
		Pinned bool   `json:"pinned"`
		State  struct {
			File string `json:"file"`
		} `json:"state"`
	} `json:"state"`
}

type wsPlace int

const (
	inMain wsPlace = iota
	inPopout
	inSidebar
)

// wsPane is one leaf of the tree with the relevant facts about its surroundings.
type wsPane struct {
	id     string
	view   string
	file   Path // "" for a view without a file
	place  wsPlace
	shown  bool // whether it is the visible tab of its group
	pinned bool
	linked bool // follows another pane, which a person linked it to
}

type wsPanes []wsPane

// walk appends the leaves below n in the order of the screen. A leaf directly below a split, as in files of the
// old name, is a group of its own.
func (ps *wsPanes) walk(n *wsNode, place wsPlace, shown bool) {
	if n.Type == "leaf" {
		file, err := ParsePath(n.State.State.File)
		if err != nil {
			file = ""
		}
		*ps = append(*ps, wsPane{
			id: n.ID, view: n.State.Type, file: file, place: place, shown: shown,
			pinned: n.Pinned || n.State.Pinned, linked: n.Group != "",
		})
		return
	}
	current := n.CurrentTab
	if current < 0 || current >= len(n.Children) {
		current = 0
	}
	for i := range n.Children {
		ps.walk(&n.Children[i], place, shown && (n.Type != "tabs" || i == current))
	}
}

// active returns the file that a person has in front of them. The active pane decides when it shows a file. A
// pane of the main area without one (an empty tab, the graph) means that there is none. When the active pane is
// not for reading (a list in the sidebar, a terminal that ibid may run in), the note beside it counts.
func (ps wsPanes) active(id string) Path {
	if i := slices.IndexFunc(ps, func(p wsPane) bool { return id != "" && p.id == id }); i >= 0 {
		switch p := ps[i]; {
		case p.file != "":
			return p.file
		case p.place != inSidebar && !p.isTerminal():
			return ""
		}
	}
	if shown := ps.files(func(p wsPane) bool { return p.place == inMain && p.shown }); len(shown) > 0 {
		return ps.pick(shown)
	}
	if slices.ContainsFunc(ps, func(p wsPane) bool { return p.place == inMain && p.shown && p.isTerminal() }) {
		// The terminal covers the tab that it belongs to.
		return ps.pick(ps.files(func(p wsPane) bool { return p.place == inMain }))
	}
	return ""
}

// pick chooses one of files: the only one, or the only one whose links or outline a sidebar pane shows, because
// those panes keep the last active file. Otherwise it returns "": a guess would send the wrong note.
func (ps wsPanes) pick(files []Path) Path {
	if len(files) != 1 {
		files = ps.files(func(p wsPane) bool {
			return p.place == inSidebar && !p.pinned && !p.linked && p.followsActive() && slices.Contains(files, p.file)
		})
	}
	if len(files) == 1 {
		return files[0]
	}
	return ""
}

// files returns the files in the panes that want accepts, without duplicates. The lists are as short as a
// screen's tabs, so that searching them is faster than a map.
func (ps wsPanes) files(want func(wsPane) bool) []Path {
	var files []Path
	for _, p := range ps {
		if p.file != "" && want(p) && !slices.Contains(files, p.file) {
			files = append(files, p.file)
		}
	}
	return files
}

func (p wsPane) isTerminal() bool { return p.file == "" && strings.Contains(p.view, "terminal") }

func (p wsPane) followsActive() bool {
	return p.view == "backlink" || p.view == "outline" || p.view == "outgoing-link"
}

// isCompanion reports whether the pane shows information about a file instead of the file.
func (p wsPane) isCompanion() bool {
	switch p.view {
	case "localgraph", "file-properties", "footnotes":
		return true
	}
	return p.followsActive()
}

// ConfigDir returns the name of the vault's config folder. Obsidian lets a person rename it, as long as the
// name starts with a dot; so a folder with another name counts only when .obsidian has no workspace file. Of
// several, the one whose workspace changed last is in use.
func ConfigDir(fsys fs.FS) string {
	if name, _, _ := findWorkspace(fsys, defaultConfigDir); name != "" {
		return defaultConfigDir
	}
	used, usedTime := "", time.Time{}
	dirs, _ := fs.Glob(fsys, ".?*") // the pattern is valid
	for _, dir := range dirs {
		if ws, when, _ := findWorkspace(fsys, dir); ws != "" && (used == "" || when.After(usedTime)) {
			used, usedTime = dir, when
		}
	}
	if used != "" || slices.Contains(dirs, defaultConfigDir) {
		return cmp.Or(used, defaultConfigDir)
	}
	for _, dir := range dirs { // nothing was opened yet, so there is no workspace file
		if _, err := fs.Stat(fsys, path.Join(dir, settingsFile)); err == nil && dir != ".git" && dir != ".trash" &&
			dir != ownDir {
			return dir
		}
	}
	return defaultConfigDir
}

// findWorkspace returns the path of the current workspace file in a config folder and the time of its last
// change, "" if there is none.
func findWorkspace(fsys fs.FS, dir string) (best string, when time.Time, err error) {
	for _, base := range []string{workspaceFile, legacyWorkspace, mobileWorkspace} {
		if base == mobileWorkspace && best != "" {
			break
		}
		name := path.Join(dir, base)
		info, err := fs.Stat(fsys, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", time.Time{}, fmt.Errorf("find workspace: %w", err)
		}
		if err == nil && info.Mode().IsRegular() && (best == "" || info.ModTime().After(when)) {
			best, when = name, info.ModTime()
		}
	}
	return best, when, nil
}

// ReadBounded reads a small regular file and its modification time; one larger than limit is an error.
func ReadBounded(fsys fs.FS, name string, limit int64) (_ []byte, _ time.Time, err error) {
	there, err := fs.Stat(fsys, name) // opening a pipe might wait for its writer
	if err == nil && !there.Mode().IsRegular() {
		err = irregularError(there)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	if info.Size() > limit {
		return nil, time.Time{}, fmt.Errorf("%d bytes, more than the %d that such a file can have", info.Size(), limit)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, info.ModTime(), err
}
