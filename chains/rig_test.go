package chains_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

const garden = `
-- beds.md --
# Beds

Tulips stand in the north bed. Marker: oriole.
-- tools/spade.md --
The spade hangs in the shed. Marker: wren.
-- tools/rake.md --
The rake is lent out. Marker: finch. #tools
-- diary.md --
---
private: true
---
Nobody reads this. Marker: owl.
`

// rig is a session over real notes and a real store; only the model is a double.
type rig struct {
	testing.TB
	vault   *vault.Vault
	state   string // folder
	store   *history.Store
	disk    *disk
	model   *chaintest.Script
	opts    chains.Options
	session *chains.Session
}

// disk is the store with a hook before each save and a count of the saves.
type disk struct {
	*history.Store
	mu     sync.Mutex // for tests in which a session saves by itself
	before func() error
	after  func(*history.Chat)
	saves  int
}

// beforeSave calls the hook and counts the save, unless the hook returns an error.
func (d *disk) beforeSave() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.before != nil {
		if err := d.before(); err != nil {
			return err
		}
	}
	d.saves++
	return nil
}

// locked calls f while no save can begin.
func (d *disk) locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *disk) Save(c *history.Chat) ([]history.Warning, error) {
	if err := d.beforeSave(); err != nil {
		return nil, err
	}
	warnings, err := d.Store.Save(c)
	if d.after != nil && err == nil {
		d.after(c)
	}
	return warnings, err
}

func newRig(t testing.TB, archive string, replies ...chaintest.Reply) *rig {
	t.Helper()
	v := vaulttest.New(t, archive)
	state := t.TempDir()
	store := value(history.NewStore(v, history.Options{Zone: time.UTC, StateDir: state}))(t)
	t.Cleanup(func() { _ = store.Close() })
	r := &rig{TB: t, vault: v, state: state, store: store, disk: &disk{Store: store}, model: chaintest.New(replies...)}
	r.opts = chains.Options{
		Model: r.model, ModelName: "m", Gather: gather.New(v, gather.Options{}), Store: r.disk,
		Instructions: prompt.Instructions{NoNotes: true},
	}
	r.session = chains.NewSession(r.opts)
	return r
}

// stateless makes a store without a state folder, which stores replies only in the chat.
func (r *rig) stateless() *rig {
	r.Helper()
	store := value(history.NewStore(r.vault, history.Options{Zone: time.UTC}))(r)
	r.Cleanup(func() { _ = store.Close() })
	r.store, r.disk = store, &disk{Store: store}
	return r.begin(func(o *chains.Options) { o.Store = r.disk })
}

// begin starts a new session with other options.
func (r *rig) begin(change func(*chains.Options)) *rig {
	change(&r.opts)
	r.session = chains.NewSession(r.opts)
	return r
}

func reply(text string) chaintest.Reply { return chaintest.Reply{Text: text} }

func textReplies(texts ...string) []chaintest.Reply {
	var all []chaintest.Reply
	for _, s := range texts {
		all = append(all, reply(s))
	}
	return all
}

func note(path string) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: path} }

// turnResult is the result of a turn: its events and its error.
type turnResult struct {
	testing.TB
	events []chains.Event
	err    error
}

func collect(t testing.TB, turn iter.Seq2[chains.Event, error]) turnResult {
	h := turnResult{TB: t}
	for e, err := range turn {
		if err != nil {
			h.err = err
			continue
		}
		h.events = append(h.events, e)
	}
	return h
}

func (r *rig) send(in chains.Input) turnResult {
	r.Helper()
	return collect(r, r.session.Send(r.Context(), in))
}

// say sends a text, and fails the test unless the turn ends well.
func (r *rig) say(text string, refs ...prompt.Ref) turnResult {
	r.Helper()
	h := r.send(chains.Input{Text: text, Attach: refs})
	h.ended(chains.FinishStop)
	return h
}

func (h turnResult) done() chains.Done {
	h.Helper()
	if h.err != nil {
		h.Fatalf("the turn did not begin: %v", h.err)
	}
	d, ok := h.events[len(h.events)-1].(chains.Done)
	if !ok {
		h.Fatalf("the last event is %T", h.events[len(h.events)-1])
	}
	return d
}

func (h turnResult) ended(f chains.Finish) turnResult {
	h.Helper()
	if d := h.done(); d.Finish != f {
		h.Fatalf("ended with %q (%v), want %q\n%s", d.Finish, d.Err, f, h)
	}
	return h
}

func (h turnResult) text() string {
	var b strings.Builder
	for _, e := range h.events {
		if d, ok := e.(chains.TextDelta); ok {
			b.WriteString(d.Text)
		}
	}
	return b.String()
}

// notices returns the texts of the notices of a kind, or of all if kind is "".
func (h turnResult) notices(kind string) []string {
	var all []string
	for _, e := range h.events {
		if n, ok := e.(chains.Notice); ok && (kind == "" || n.Kind == kind) {
			all = append(all, n.Text)
		}
	}
	return all
}

func (h turnResult) envelope() prompt.Envelope {
	h.Helper()
	for _, e := range slices.Backward(h.events) {
		if c, ok := e.(chains.ContextReady); ok {
			return c.Envelope
		}
	}
	h.Fatalf("nothing was prepared:\n%s", h)
	return prompt.Envelope{}
}

// String returns one line per event, and one for a run of text.
func (h turnResult) String() string {
	var lines []string
	for _, e := range h.events {
		line := strings.TrimPrefix(fmt.Sprintf("%T", e), "chains.")
		switch e := e.(type) {
		case chains.TurnStarted:
			line += fmt.Sprintf(" %d", e.N)
		case chains.TextDelta:
			line += fmt.Sprintf(" %q", e.Text)
		case chains.ReasoningDelta:
			line += fmt.Sprintf(" %q", e.Text)
		case chains.Notice:
			line += " " + e.Kind
		case chains.UsageReported:
			line += fmt.Sprintf(" %d", e.Usage.Prompt)
		case chains.Done:
			line += " " + string(e.Finish)
			if e.Err != nil {
				line += " " + string(e.Err.Kind)
			}
		}
		lines = append(lines, line)
	}
	if h.err != nil {
		lines = append(lines, "error: "+h.err.Error())
	}
	return strings.Join(lines, "\n")
}

// file returns the chat file.
func (r *rig) file() string {
	r.Helper()
	return r.read(vault.Path(r.session.Snapshot().Path))
}

func (r *rig) read(p vault.Path) string {
	r.Helper()
	data := value(os.ReadFile(filepath.Join(r.vault.Dir(), p.Native())))(r)
	return string(data)
}

// transcript returns the displayed messages, one per line: "u hello", "a hi (cancelled)".
func transcript(t testing.TB, c history.Chat) string {
	t.Helper()
	var lines []string
	for _, m := range c.Messages {
		line := string(m.Role[:1]) + " " + m.Text
		if m.Status != "" {
			line += " (" + string(m.Status) + ")"
		}
		for _, note := range m.Notes {
			line += "\nn " + note
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (r *rig) chat() history.Chat {
	r.Helper()
	c := value(r.session.Chat())(r)
	return c
}

// holds compares the transcripts in memory and on disk.
func (r *rig) holds(lines ...string) {
	r.Helper()
	want := strings.Join(lines, "\n")
	is(r, transcript(r, r.chat()), want, "in memory")
	saved, _, err := history.Decode([]byte(r.file()))
	check(r, err)
	is(r, transcript(r, saved), want, "on disk")
}

// last returns the messages of the last request as "role: content", without the line with the
// date.
func (r *rig) last() []string {
	r.Helper()
	all := r.model.Requests()
	if len(all) == 0 {
		r.Fatal("nothing was sent")
	}
	return lines(all[len(all)-1].Messages)
}

var today = regexp.MustCompile(`^user: Today is [^\n]*\.\n\n(?:---\n\n\[User query\]:\n)?`)

func lines(messages []prompt.Message) []string {
	var out []string
	for _, m := range messages {
		out = append(out, today.ReplaceAllString(string(m.Role)+": "+m.Content, "user: "))
	}
	return out
}

// sent returns the last request as one text.
func (r *rig) sent() string { r.Helper(); return strings.Join(r.last(), "\n\n") }

// system returns the system message of the last request.
func (r *rig) system() string { r.Helper(); return r.last()[0] }

func (r *rig) wants(text string, parts ...string) {
	r.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			r.Errorf("no %q in\n%s", p, short(text))
		}
	}
}

func (r *rig) lacks(text string, parts ...string) {
	r.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			r.Errorf("%q in\n%s", p, short(text))
		}
	}
}

// reopen closes the chat and opens it as another process would.
func (r *rig) reopen(change ...func(*chains.Options)) []chains.Notice {
	r.Helper()
	path := r.session.Snapshot().Path
	check(r, r.store.Close())
	return r.open(vault.Path(path), change...)
}

func (r *rig) open(path vault.Path, change ...func(*chains.Options)) []chains.Notice {
	r.Helper()
	store := value(history.NewStore(r.vault, history.Options{Zone: time.UTC, StateDir: r.state}))(r)
	r.Cleanup(func() { _ = store.Close() })
	r.store, r.disk = store, &disk{Store: store}
	r.opts.Store = r.disk
	r.opts.Gather = gather.New(r.vault, gather.Options{})
	for _, c := range change {
		c(&r.opts)
	}
	value(r.vault.Revalidate(r.Context()))(r)
	chat, _, err := store.Open(path)
	check(r, err)
	chat, _ = history.Resolve(&chat, r.vault, gather.New(r.vault, gather.Options{}).Revision)
	s, notices, err := chains.Reopen(context.Background(), r.opts, chat)
	check(r, err)
	r.session = s
	return notices
}

// outside edits the chat file as another program does.
func (r *rig) outside(edit func(string) string) {
	r.Helper()
	p := vault.Path(r.session.Snapshot().Path)
	vaulttest.Write(r, r.vault, p, edit(r.read(p)))
}

// short shortens a text for the log of a test.
func short(text string) string {
	if len(text) > 3000 {
		return text[:1500] + "\n[…]\n" + text[len(text)-1500:]
	}
	return text
}

// value returns the result of a call, and ends the test if the call failed.
func value[T any](v T, err error) func(rapid.TB) T {
	return func(t rapid.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

// check ends the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventsOf yields the events of a turn, and ends the test at an error.
func eventsOf(t testing.TB, turn iter.Seq2[chains.Event, error]) iter.Seq[chains.Event] {
	return func(yield func(chains.Event) bool) {
		for e, err := range turn {
			if check(t, err); !yield(e) {
				return
			}
		}
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
