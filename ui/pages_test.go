package ui_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pageTest describes a page, a list, a question or a bar: the keys that open it, and its
// content at every size.
type pageTest struct {
	name   string                 // the type of a page or of the source of a list, or the function that makes a question
	open   string                 // see playKeys
	shows  string                 // what it says it is, or is about
	keys   string                 // keys that it names, with what they do: "y yes|n no"; esc goes without saying
	cursor string                 // what stands before the cursor, "" for none
	on     func(*testing.T) *rig  // where it opens, nil for pagesRig
	idle   bool                   // it opens only when no reply is being written, or with one that asks
	close  string                 // keys that leave it, "" for esc
	first  func(r *uitest.Robot)  // what is done once before
	again  func(*testing.T, *rig) // what is done before each time
}

// pageTests returns a pageTest for each page; TestPagesAll checks that none is missing.
func pageTests() []pageTest {
	return []pageTest{
		{name: "noteList", open: "'@set", shows: "enter attach", cursor: "> @set"},
		{name: "commandList", open: "'/", shows: "commands", cursor: "> /"},
		{name: "argumentList", open: "'/pin_soi", shows: "Soil", cursor: "> /pin soi"},
		{name: "palette", open: "ctrl+p", shows: "Everything", cursor: "> "},
		{name: "noteSearch", open: "ctrl+o", shows: "Notes   >", cursor: "> "},
		{name: "chatList", open: "ctrl+s", shows: "Chats   >", cursor: "> "},
		{name: "renameLine", open: "ctrl+s 'keyb ctrl+r", shows: "Rename", cursor: "Which keyboard to buy", close: "esc esc"},
		{name: "modelList", open: "ctrl+l", shows: "Models", cursor: "> "},
		{name: "providerList", open: "'/provider enter", shows: "Providers", cursor: "> "},
		{
			name: "keyLine", open: "'/provider enter 'router enter", shows: "Key for openrouter", keys: "enter test and keep",
			cursor: "> ", close: "esc esc",
		},
		{
			name: "keyLine.question", open: "'/provider enter 'router enter 'wrong enter", shows: "key was refused",
			keys: "enter test another", close: "esc esc",
		},
		{
			name: "removal", open: "'/provider enter 'work ctrl+d", shows: "Remove work?",
			keys: "enter remove", close: "esc esc",
		},
		{name: "settingList", open: "'/config enter", shows: "Settings", cursor: "> "},
		{name: "settingValues", open: "'/config enter 'layout enter", shows: "cache.layout", cursor: "layout "},
		{name: "vaultList", open: "'/vault enter", shows: "Vaults", cursor: "> "},
		{
			name: "confirmVault.question", open: "'/vault enter '~ end enter", shows: "your home folder",
			keys: "y read it", close: "esc esc",
		},
		{name: "promptList", open: "ctrl+x p", shows: "Saved prompts", cursor: "> "},
		{name: "themeList", open: "'/theme enter", shows: "Themes", cursor: "> "},
		{name: "relatedList", open: "'/related_Setlist enter", shows: "Related notes", idle: true},
		{name: "linkList", open: "tab o", shows: "Notes of this message", idle: true, close: "esc i"},
		{name: "linksPage", open: "tab o enter", shows: "PROPERTIES", idle: true, close: "esc esc i"},
		{name: "earlierList", open: "ctrl+r", shows: "Earlier prompts", cursor: "> "},
		{name: "rewindList", open: "ctrl+x g", shows: "Go back to", idle: true, cursor: "> "},
		{name: "contextPage", open: "f2", shows: "Context"},
		{name: "helpPage", open: "f1", shows: "Help"},
		{
			name: "confirm", open: "tab r", shows: "Send the last message again?", keys: "enter send",
			idle: true, close: "esc i",
		},
		{
			name: "comparison", open: "'/compare enter", shows: "Replies of the last turn", keys: "1… go on from it",
			idle: true, on: variantsRig, first: twoReplies,
		},
		{name: "pieceList", open: "tab w", shows: "What of the reply?", idle: true, close: "esc i"},
		{
			name: "folderList", open: "tab w enter", shows: "Write to a new note", idle: true,
			cursor: "plan it", close: "esc i",
		},
		{name: "placeList", open: "tab a enter", shows: "Add to a note", idle: true, cursor: "> ", close: "esc i"},
		{name: "ownPage", open: "tab w enter enter", shows: "Write this?", keys: "y |n ", idle: true, close: "esc i"},
		{name: "find", open: "ctrl+f", shows: "esc close", cursor: " /"},
		{name: "leader", open: "ctrl+x", shows: "and one of these", cursor: "> "},
		{
			name: "leaveQuestion", open: "ctrl+x q", shows: "Leave?", keys: "y leave|n stay", on: streamingRig,
			first: more, idle: true,
		},
		{
			name: "takenPage", open: "'/undo-write_1 enter", shows: "Take this back?", keys: "y |n ", idle: true,
			first: wroteNotes, again: changeSetlist,
		},
		{
			name: "planMerge", open: "'/merge enter", shows: "Merge the copy?", keys: "enter merge", on: copiedRig, idle: true,
			first: openScales,
		},
		{
			name: "overwrite.question", open: "'/export enter", shows: "Overwrite the file?", keys: "enter overwrite",
			on: exportRig, idle: true, first: openScales,
		},
		{
			name: "offerUnsaved", shows: "1 unsaved reply was found", keys: "enter keep|o keep and open|ctrl+x throw away",
			on: unsavedRig, idle: true,
		},
		{
			name: "fit.question", open: "'/add_Big enter '/add_Soil enter 'why? enter", shows: "This turn reads about",
			keys: "enter sends|m a larger model|F2 forget something", on: largeRig(0), idle: true,
		},
		{
			name: "fit.question", open: "'/add_Bigger enter 'why? enter", shows: "A limit keeps here",
			keys: "enter sends the rest|m a larger model", on: largeRig(0), idle: true,
		},
		{name: "approval", open: "'go enter", shows: "May the model", keys: "y yes|n no", on: askingRig, idle: true},
		{
			name: "approval", open: "'go enter wait n", shows: "why not?", keys: "enter no", cursor: "why not? ",
			on: askingRig, idle: true,
		},
		{name: "changePage", open: "'go enter", shows: "Write to note?", keys: "y |n ", on: proposingRig, idle: true},
		{
			name: "changePage", open: "'go enter wait n", shows: "why not?", keys: "enter ", cursor: "why not? ",
			on: proposingRig, idle: true,
		},
		{
			name: "batchPage", open: "'go enter", shows: "Change many notes?", keys: "y go through|n reject all",
			on: batchRig, idle: true,
		},
		{
			name: "batchPage", open: "'go enter wait n", shows: "why not?", keys: "enter no", cursor: "why not? ",
			on: batchRig, idle: true,
		},
	}
}

// pageSizes are the sizes at which each page opens.
var pageSizes = [][2]int{{40, 10}, {40, 12}, {80, 24}, {200, 50}}

// TestPages opens every page at every size, also while a reply streams. The page shows its
// content, its keys and the key that closes it, has the cursor in its input, and is the same
// after a change of the size. Closing it does not stop the reply. The robot checks the size of
// each frame.
func TestPages(t *testing.T) {
	for i, p := range pageTests() {
		for _, look := range []string{"", "ascii"} {
			for _, streams := range []bool{false, true} {
				if streams && (p.idle || look != "") || (streams || look != "") && !vaulttest.Slow {
					continue
				}
				t.Run(fmt.Sprintf("%d %s %s streaming %v", i, p.name, look, streams), func(t *testing.T) {
					playOn(t, 80, 24, p.rig(look, streams), func(r *stage) { p.play(r, streams) })
				})
			}
		}
	}
}

// rig makes a rig for the page with a look.
func (p *pageTest) rig(look string, streams bool) func(*testing.T) *rig {
	return func(t *testing.T) *rig {
		make := p.on
		if make == nil {
			make = pagesRig
		}
		g := make(t)
		if look != "" {
			g.look(look)
		}
		if streams {
			g.model.Add(slow(strings.Repeat("word ", 3000)))
		}
		return g
	}
}

func (p *pageTest) play(r *stage, streams bool) {
	if p.on == nil {
		r.Ask("plan it", "count aloud")
		writePrompts(r.T, r.rig)
	}
	if p.first != nil {
		p.first(r.Robot)
	}
	if streams {
		r.Begin("more", "word")
		r.Pass(5 * time.Second)
	}
	for _, size := range pageSizes {
		r.Resize(size[0], size[1])
		if p.again != nil {
			p.again(r.T, r.rig)
		}
		playKeys(r.Robot, p.open)
		r.Pass(time.Second)
		p.checkScreen(r.T, r.Robot, "")
		before := r.Screen()
		others := [][2]int{{200, 50}, {40, 10}, {200, 50}, size}
		if size != pageSizes[2] && !vaulttest.Slow { // from one size to the others
			others = nil
		}
		for _, other := range others {
			r.Resize(other[0], other[1])
			r.Pass(100 * time.Millisecond)
			p.checkScreen(r.T, r.Robot, fmt.Sprintf(" after %dx%d", size[0], size[1]))
		}
		if now := r.Screen(); !streams && cursorRows(now) != cursorRows(before) {
			r.Errorf("other sizes changed\n%s\nto\n%s", before, now)
		}
		if r.Failed() || p.open == "" {
			return
		}
		if p.close == "" {
			p.close = "esc"
		}
		playKeys(r.Robot, p.close)
		r.Pass(time.Second)
		r.Press("ctrl+u")
		r.Pass(time.Second)
		if !r.Has("your vault") || p.shown(r.Robot) {
			r.Fatalf("%s leaves\n%s", p.close, r.Screen())
		}
		if runs := !strings.HasPrefix(r.View().WindowTitle, "ibid"); streams && !runs {
			r.Fatalf("%s stops the reply\n%s", p.close, r.Screen())
		}
	}
}

// cursorRows returns the rows of a list that have the cursor. It leaves out messages, which can
// scroll.
func cursorRows(screen string) string {
	return strings.Join(regexp.MustCompile(`(?m)^(│ |\| )?[▸>] (?:[^y]|y[^o]).*`).FindAllString(screen, -1), "\n")
}

func (p *pageTest) shown(r *uitest.Robot) bool { return r.Has(p.shows) }

// checkScreen checks the screen while the page is open.
func (p *pageTest) checkScreen(t *testing.T, r *uitest.Robot, when string) {
	screen := r.Screen()
	rows := strings.Split(screen, "\n")
	fail := func(format string, args ...any) {
		t.Errorf(format+" at %d rows%s:\n%s", append(args, len(rows), when, screen)...)
	}
	if !p.shown(r) {
		fail("%q is not shown", p.shows)
		return
	}
	all := "esc "
	if p.keys != "" {
		all += "|" + p.keys
	}
	for text := range strings.SplitSeq(all, "|") {
		if !strings.Contains(screen, text) {
			fail("the key %q is not named", text)
		}
	}
	x, y := r.Cursor()
	switch {
	case x < 0 && p.cursor != "":
		fail("there is no cursor")
	case x >= 0 && p.cursor == "":
		fail("the cursor stands at %d,%d", x, y)
	case x >= 0:
		row := rows[y] + strings.Repeat(" ", x)
		if before := ansi.Truncate(row, x, ""); !strings.HasSuffix(before, p.cursor) {
			fail("the cursor stands behind %q", before)
		}
	}
}

// playKeys presses keys, and waits after each. A word with ' in front is typed as text, with
// spaces for its _.
func playKeys(r *uitest.Robot, hints string) {
	for key := range strings.FieldsSeq(hints) {
		if text, typed := strings.CutPrefix(key, "'"); typed {
			r.Type(strings.ReplaceAll(text, "_", " "))
		} else if key != "wait" {
			r.Press(key)
		}
		r.Pass(600 * time.Millisecond)
	}
}

// TestPagesAll: each page, list and question has a pageTest.
func TestPagesAll(t *testing.T) {
	held := map[string]bool{}
	for _, p := range pageTests() {
		name, _, _ := strings.Cut(p.name, ".")
		held[name] = true
	}
	// These are parts of pages.
	for _, name := range []string{"list", "question", "chatRows", "textPage"} {
		held[name] = true
	}
	var files []string
	for _, folder := range []string{".", "browse", "chatview", "review", "setup"} {
		found, err := filepath.Glob(folder + "/*.go")
		check(t, err)
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		check(t, err)
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^func \(\w* ?\*?(\w+)\) (?:Rows|View)\([^)]*\) (?:page\.Listing|\[\]string)`).FindAllStringSubmatch(string(data), -1) {
			if !held[m[1]] {
				t.Errorf("%s: %s is in no row of pageTests", file, m[1])
			}
		}
	}
}

// allServices gives a screen all lists of services.
func allServices(o *ui.Options) {
	o.Service = ui.Service{Models: newShelf(), Providers: newProviders(), Settings: newSettings(), Vaults: newVaults()}
}

// pagesRig has a vault with chats, all services, and a model that answers with a plan.
func pagesRig(t *testing.T) *rig {
	g := newRig(t, band+tagged, reply(plan))
	g.watched()
	g.change(allServices)
	return g
}

// streamingRig has a model that answers slowly.
func streamingRig(t *testing.T) *rig {
	return newRig(t, band, slow(strings.Repeat("word ", 3000)))
}

func more(r *uitest.Robot) { r.Begin("more", "word") }

// variantsRig has a model with three answers.
func variantsRig(t *testing.T) *rig {
	return newRig(t, band, reply("a plan"), reply("one more plan"), reply("the end"))
}

func twoReplies(r *uitest.Robot) {
	r.Ask("plan it", "a plan")
	r.Ask("/retry", "one more plan")
}

func wroteNotes(r *uitest.Robot) {
	r.Ask("/append Setlist", "written: Band/Setlist.md")
	r.Ask("/append Soil", "written: Garden/Soil.md")
}

func changeSetlist(t *testing.T, g *rig) {
	t.Helper()
	vaulttest.Write(t, g.vault, "Band/Setlist.md", g.note("Band/Setlist.md")+"\nAnd a last one.\n")
}

func openScales(r *uitest.Robot) { r.Ask("/open Scales", "Scales and arp") }

// copiedRig has a chat with a copy that a sync program left.
func copiedRig(t *testing.T) *rig {
	g := newRig(t, band+older)
	more := "\n\n**user**: And by ear?\n[Timestamp: 2030/01/01 00:00:00]\n"
	vaulttest.Write(t, g.vault, "Chats/Scales (1).md", strings.TrimRight(g.note("Chats/Scales.md"), "\n")+more)
	return g
}

// exportRig has an export that always finds a file of the same name.
func exportRig(t *testing.T) *rig {
	g := newRig(t, band+older)
	g.export = exportNothing
	g.reopen()
	return g
}

func exportNothing(context.Context, vault.Path, string, bool) (string, error) { return "", fs.ErrExist }

// unsavedRig has a chat that was not saved.
func unsavedRig(t *testing.T) *rig {
	g := newRig(t, band)
	dir := filepath.Join(g.locks, "unsaved")
	text := "---\nepoch: 1774000000000\ntitle: Lost\n---\n\n**user**: Where is it?\n[Timestamp: 2026/03/14 09:00:00]\n\n**ai**: Nearly lost.\n[Timestamp: 2026/03/14 09:00:05]\n"
	check(t, os.MkdirAll(dir, 0o700))
	file := filepath.Join(dir, "1774000000000-1.md")
	check(t, os.WriteFile(file, []byte(text), 0o600))
	check(t, os.Chtimes(file, clockStart, clockStart))
	return g
}

// askingRig has a model that calls a tool which needs approval, each time.
func askingRig(t *testing.T) *rig {
	g := newRig(t, band)
	for i := range len(pageSizes) {
		g.model.Add(calling("Let me see.", toolCall("webSearch", i,
			"the tuning of an old piano in the hall")), reply("Fine."))
	}
	g.tools = []chains.Tool{asking()}
	g.reopen()
	return g
}

// proposingRig has a model that proposes a change of two hunks, each time.
func proposingRig(t *testing.T) *rig {
	g := changing(t)
	for i := range len(pageSizes) {
		g.model.Add(calling("I put it in.", writing(i, "Week 47.md", twoHunks)), reply("Fine."))
	}
	return g
}

// batchRig has a model that proposes changes of many notes, each time.
func batchRig(t *testing.T) *rig {
	g := changing(t)
	for i := range len(pageSizes) {
		var calls []prompt.ToolCall
		for n := range 5 {
			calls = append(calls, writing(10*i+n, fmt.Sprintf("New %d.md", n), "text\n"))
		}
		g.model.Add(calling("", calls...), reply("Fine."))
	}
	return g
}
