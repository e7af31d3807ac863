package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// cited is a reply with sources and two blocks of code.
const cited = "Cut it [^2], then boil [^1].\n\n```sh\nboil --long\n```\n\n```markdown\n# Jam\n```\n\n#### Sources:\n\n[^1]: [[Alpha]]\n[^2]: [[Beta]]\n"

// drawnCited is that reply in a note that has no footnotes.
const drawnCited = "Cut it [^1], then boil [^2].\n\n```sh\nboil --long\n```\n\n```markdown\n# Jam\n```\n\n[^1]: [[Beta]]\n[^2]: [[Alpha]]\n"

func (r *rig) file(name string) string {
	data, err := os.ReadFile(filepath.Join(r.vault.Dir(), filepath.FromSlash(name)))
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func (r *rig) holds(name, want string) {
	r.t.Helper()
	if got := r.file(name); got != want {
		r.t.Fatalf("%s holds\n%q, want\n%q", name, got, want)
	}
}

// TestNote: a reply becomes a note, its topic the name, and nothing is overwritten.
func TestNote(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: cited}, chaintest.Reply{Text: "Later."}))
	r.wants("/note", "there is no reply yet")
	r.line("How is jam made? [[Alpha#Roof]]")
	r.wants("/note", "--- /dev/null", "+Cut it [^1]", "made: How is jam made Alpha Roof.md (change 1; /undo-write takes it back)")
	r.holds("How is jam made Alpha Roof.md", drawnCited)
	r.wants("/note", "made: How is jam made Alpha Roof 2.md")
	r.wants("/note Ideas/", "made: Ideas/How is jam made Alpha Roof.md")
	r.wants("/note [[Ideas/Jam]]", "made: Ideas/Jam.md")
	r.wants("/note Ideas/Jam", "Ideas/Jam.md is there already: /append adds to it")
	r.wants("/note alpha", "Alpha.md is there already: /append adds to it")
	r.wants("/note code 1 Code", "+```sh\n+boil --long\n+```\n")
	r.holds("Code.md", "```sh\nboil --long\n```\n")
	r.wants("/note code 2 Made", "made: Made.md")
	r.holds("Made.md", "# Jam\n")
	r.wants("/note code 3 Other", "the reply has 2 closed blocks of code: 3 is none of them")
	r.wants("/note part 1-2 Parts", "made: Parts.md")
	r.holds("Parts.md", "Cut it [^1], then boil [^2].\n\n```sh\nboil --long\n```\n\n[^1]: [[Beta]]\n[^2]: [[Alpha]]\n")
	r.wants("/note part 3 Part", "made: Part.md")
	r.holds("Part.md", "# Jam\n")
	r.wants("/note part 4-9 Other", "the reply has no parts 4 to 9")
	r.wants("/note code review", "made: code review.md")
	r.line("And then?")
	r.wants("/note turn 1 code 2 First", "made: First.md", "+# Jam")
	r.wants("/note turn 3 First", "there are 2 turns: 3 is none of them")
	r.wants("/note Last", "+Later.")
	for _, bad := range []string{"../out", "a:b", "x#y", ".obsidian/a", "Chats/a", ".hidden"} {
		before := len(r.vault.Notes())
		r.line("/note " + bad)
		if _, err := r.vault.Revalidate(t.Context()); err != nil || len(r.vault.Notes()) != before {
			t.Errorf("/note %s wrote a note, %v", bad, err)
		}
	}
	vaulttest.Write(t, r.vault, ".obsidian/app.json", `{"newFileLocation":"folder","newFileFolderPath":"Inbox"}`)
	r.wants("/note New", "made: Inbox/New.md")
	r.wants("what does @Inbox/New say?", "") // it is known at once
	r.wants("/undo-write", "taken back: Inbox/New.md is in the trash (change 12; /undo-write 13 makes it again)")
	r.wants("/undo-write 13", "taken back: Inbox/New.md")
	r.holds("Inbox/New.md", "Later.\n")
}

const target = `
-- Log.md --
---
tags: log
---
# Log

Seen before [^4].

## Open

- one

### Deep

- two


## Done
- three

[^4]: There.
-- crlf.md --
# A
text
-- sub/Twin.md --
x
-- other/Twin.md --
y
-- Secret.md --
---
private: true
---
-- front.md --
---
a: b
---
`

func TestAppend(t *testing.T) {
	r := newRig(t, target, chaintest.New(chaintest.Reply{Text: cited}, chaintest.Reply{Text: "Plain."}))
	r.line("How is jam made?")
	before := r.file("Log.md")
	want := before + "\n" + strings.NewReplacer("[^1]", "[^5]", "[^2]", "[^6]").Replace(drawnCited)
	r.wants("/append Log", " - three", "+[^5]: [[Beta]]", "written: Log.md (change 1; /undo-write takes it back)")
	r.holds("Log.md", want)
	r.wants("/undo-write", "-Cut it", "taken back: Log.md (change 1; /undo-write 2 makes it again)")
	r.holds("Log.md", before)
	r.wants("/undo-write", "no change of a note is kept that could be taken back")
	r.wants("/undo-write 7", "there is no change 7 to take back")
	r.wants("/undo-write nonsense", "/undo-write takes")

	r.line("And?")
	r.wants("/append @Log#open", "written: Log.md")
	r.holds("Log.md", strings.Replace(before, "- two\n\n\n", "- two\n\nPlain.\n\n", 1))
	r.wants("/append [[Log#Done]]", "written")
	r.wants("/append Log#Deep", "written")
	if got := r.file("Log.md"); !strings.Contains(got, "Plain.\n\nPlain.\n\n## Done") || !strings.HasSuffix(got, "There.\n\nPlain.\n") {
		t.Errorf("got\n%s", got)
	}
	r.wants("/append Log#Closed", `Log.md has no heading "Closed"; it has Log, Open, Deep, Done`)
	r.wants("/append Twin", "Twin fits several notes: other/Twin.md, sub/Twin.md")
	r.wants("/append Lug", "there is no note Lug", "/note makes a new one")
	r.wants("/append", "/append takes")
	r.wants("/append code 1", "/append takes the note")
	r.wants("/append Secret", "+Plain.") // it stays on this machine
	r.wants("/append front", "written")
	r.holds("front.md", "---\na: b\n---\n\nPlain.\n")
	r.wants("/undo-write all", "taken back: change 7 of front.md\ntaken back: change 6 of Secret.md\ntaken back: change 5 of Log.md\ntaken back: change 4 of Log.md\ntaken back: change 3 of Log.md")
	r.holds("Log.md", before)
	r.wants("/undo-write all", "this chat has changed no note")
	r.wants("/undo-write list", "   8  20", "front.md  +0 −2  takes back change 7", "   1  20", "Log.md  +13 −0  taken back  Chats/")

	vaulttest.Write(t, r.vault, "crlf.md", "\uFEFF# A\r\ntext")
	r.wants("/append crlf", "written")
	r.holds("crlf.md", "\uFEFF# A\r\ntext\r\n\r\nPlain.")
	vaulttest.Write(t, r.vault, "bin.md", "a\x00b")
	r.wants("/append bin", "bin.md is no text")
	r.wants("/append "+r.path(), "this is not written: saved chats are there")
}

// TestUndoRenamed: what a chat wrote is found when its file is called something else.
func TestUndoRenamed(t *testing.T) {
	r := newRig(t, target, chaintest.New(chaintest.Reply{Text: "Plain."}, chaintest.Reply{Text: "More."}))
	r.line("Hm?")
	before, was := r.file("Log.md"), r.path()
	r.wants("/append Log", "written")
	r.line("/rename Another name")
	if r.path() == was {
		t.Fatal("the file has its name still")
	}
	r.wants("/append Log", "written")
	r.wants("/undo-write all", "taken back: change 2 of Log.md\ntaken back: change 1 of Log.md")
	r.holds("Log.md", before)
}

// TestNoteControls: what a terminal may act on does not get into notes.
func TestNoteControls(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: "a\x1b]0;x\x07b\r\nc\td\u009b"}))
	r.line("Hm?")
	r.wants("/note N", "made: N.md")
	r.holds("N.md", "a]0;xb\nc\td\n")
}

// TestUndoChanged: what somebody wrote after a change is shown, and stays.
func TestUndoChanged(t *testing.T) {
	r := newRig(t, target, chaintest.New(chaintest.Reply{Text: "Plain."}))
	r.line("Hm?")
	before := r.file("Log.md")
	r.wants("/append Log#Open", "written")
	vaulttest.Write(t, r.vault, "Log.md", strings.Replace(r.file("Log.md"), "three", "four", 1))
	r.wants("/undo-write", "change 1 did this:\n", "+Plain.", "and since then:\n", "-- three\n+- four", "nothing was taken back: Log.md was changed since. /undo-write 1 merge takes it back and keeps what came later")
	r.wants("/undo-write all", "change 1 of Log.md stays: the note was changed since; /undo-write 1 shows how")
	r.wants("/undo-write 1 merge", "-Plain.", "taken back: Log.md (change 1")
	r.holds("Log.md", strings.Replace(before, "three", "four", 1))
	r.wants("/append Log", "written")
	vaulttest.Remove(t, r.vault, "Log.md")
	r.wants("/undo-write", "nothing was taken back: Log.md is gone")
	r.wants("/undo-write 3 merge", "nothing of change 3 stands in Log.md any more")
}

func TestInsert(t *testing.T) {
	r := newRig(t, "-- A.md --\n---\nx: y\n---\none\ntwo\n\nthree\n", chaintest.New(chaintest.Reply{Text: "In."}))
	r.line("Hm?")
	says := func(line int) {
		t.Helper()
		if err := vault.WriteSignal(r.signals, vault.Signal{Vault: r.vault.Dir(), Path: "A.md", Line: line, When: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	before := r.file("A.md")
	r.wants("/insert", "no editor has said where: `ibid active NOTE:LINE` tells the line")
	says(0)
	r.wants("/insert", "the line in A.md is not known")
	says(9)
	r.wants("/insert", "A.md has 7 lines, and the cursor is said to be on line 9")
	r.wants("/insert A", "/insert takes no note")
	for line, want := range map[int]string{
		1: "---\nx: y\n---\n\nIn.\n\none\ntwo\n\nthree\n", 4: "---\nx: y\n---\none\n\nIn.\n\ntwo\n\nthree\n",
		5: "---\nx: y\n---\none\ntwo\n\nIn.\n\nthree\n", 6: "---\nx: y\n---\none\ntwo\n\nIn.\n\nthree\n", 7: before + "\nIn.\n",
	} {
		says(line)
		r.wants("/insert", "written: A.md")
		r.holds("A.md", want)
		r.line("/undo-write")
		r.holds("A.md", before)
	}
}

func TestDaily(t *testing.T) {
	r := newRig(t, "-- A.md --\nx\n", nil)
	now := time.Date(2031, 2, 3, 23, 59, 59, 0, time.Local)
	r.now = func() time.Time { return now }
	r.sit(chaintest.New(chaintest.Reply{Text: "Done."}))
	r.line("Hm?")
	today := now.Format(time.DateOnly)
	r.wants("/daily", "--- /dev/null", "made: "+today+".md")
	r.holds(today+".md", "Done.\n")
	r.wants("/daily", "written: "+today+".md")
	r.holds(today+".md", "Done.\n\nDone.\n")
	vaulttest.Write(t, r.vault, ".obsidian/app.json", "{}")
	vaulttest.Write(t, r.vault, ".obsidian/daily-notes.json", `{"folder":"Days","format":"YYYY/[D]DDD","template":"Templates/Day"}`)
	r.wants("/daily", "made: Days/", "the template of daily notes is left out: there is no Templates/Day.md")
	r.wants("/undo-write", "is in the trash")
	vaulttest.Write(t, r.vault, "Templates/Day.md", "---\nday: {{date}}\n---\n# {{title}}\n\n## Log\n\n## Then <% x %>\n")
	path := "Days/2031/D34.md"
	r.wants("/daily #Log", "made: "+path)
	title := strings.TrimSuffix(filepath.Base(path), ".md")
	r.holds(path, "---\nday: "+today+"\n---\n# "+title+"\n\n## Log\n\nDone.\n\n## Then <% x %>\n")
	r.wants("/daily #None", "has no heading \"None\"")
	r.wants("/daily Log", "/daily takes the heading of a section")
	vaulttest.Write(t, r.vault, ".obsidian/daily-notes.json", `{"folder":`)
	r.wants("/daily", "read the settings .obsidian/daily-notes.json")
}
