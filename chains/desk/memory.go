package desk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/ownfile"
	"ibid/vault/undo"
)

// Memory is the note with facts for the model, and the record of where its bullets come from. Several goroutines
// and several processes may use it.
type Memory struct {
	vault *vault.Vault
	named string // from the configuration, "" if it names none
	file  string // one JSON object a line; with "" nothing is recorded
}

// memoryLine is a line of the file: a bullet that was written, or the choice of a note.
type memoryLine struct {
	Time   time.Time `json:"time"`
	Bullet string    `json:"bullet,omitempty"`
	undo.Author
	Use *string `json:"use,omitempty"`
}

// NewMemory returns the memory of a vault, in the note that the configuration names or the person chose. stateDir
// is a folder outside of the vault, "" for none.
func NewMemory(v *vault.Vault, stateDir, named string) *Memory {
	m := &Memory{vault: v, named: named}
	if stateDir != "" {
		m.file = filepath.Join(stateDir, "memory-"+vault.StateName(v)+".jsonl")
	}
	return m
}

// Note returns the name of the note, "" if there is none, also for a nil Memory.
func (m *Memory) Note() string {
	if m == nil {
		return ""
	}
	if m.named != "" {
		return m.named
	}
	note := ""
	for _, l := range m.lines() {
		if l.Use != nil {
			note = *l.Use
		}
	}
	return note
}

// Path returns the path of the note, which need not exist yet; "" if there is no such note.
func (m *Memory) Path() (vault.Path, error) {
	p, err := m.vault.SettingPath(m.Note())
	switch {
	case err == nil:
		return p, nil
	case m.named != "":
		return "", fmt.Errorf("memory note: %w; the setting memory names it", err)
	}
	return "", fmt.Errorf("memory note: %w; /memory use NOTE takes another one", err)
}

// notePath returns the path of a note that is named with or without its ending, "" for no name.
func notePath(name string) (vault.Path, error) {
	p, err := vault.ParsePath(name)
	return p.AsNote(), err
}

// chooseNote records the choice of the note.
func (m *Memory) chooseNote(note string, now time.Time) error {
	if m.file == "" {
		return errors.New("there is no state folder to keep the choice in: set memory in the configuration")
	}
	return m.add(memoryLine{Time: now, Use: &note})
}

// Written records the bullets that a write added, if it wrote the memory note.
func (m *Memory) Written(e *undo.Entry) {
	p, err := m.Path()
	if err != nil || m.file == "" {
		return
	}
	for _, w := range e.Writes() {
		if w.Path != p {
			continue
		}
		change := w.Change()
		before := edit.Bullets(change.Before)
		for _, b := range edit.Bullets(change.After) {
			if !slices.Contains(before, b) {
				// at worst /memory why does not know their origin
				_ = m.add(memoryLine{Time: e.Time, Bullet: b, Author: e.Author})
			}
		}
	}
}

func (m *Memory) add(l memoryLine) error {
	return ownfile.Change(m.file, "record the memory", func(before []byte) ([]byte, error) {
		line, err := json.Marshal(l)
		return slices.Concat(before, []byte("\n"), line), err
	})
}

// lines reads the file. It skips invalid lines.
func (m *Memory) lines() (all []memoryLine) {
	data, err := ownfile.Read(m.file)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		var l memoryLine
		if json.Unmarshal(line, &l) == nil {
			all = append(all, l)
		}
	}
	return all
}

// defaultMemory is the memory note that /remember creates.
const defaultMemory = "Memory.md"

// remember adds a bullet to the memory note, and creates the note if there is none.
func remember(ctx context.Context, c *Place, text string) (Result, error) {
	m := c.opts.Memory
	if m.Note() == "" {
		c.pending = text
		taken := m.noteOfDefaultName()
		if taken == "" {
			return c.useMemory(ctx, defaultMemory)
		}
		return Result{Text: fmt.Sprintf("there is no memory note yet, and a note called %[1]s: /memory use %[1]s takes "+
			"that one and writes this into it. New chats send it to the model", taken)}, nil
	}
	p, err := m.Path()
	if err != nil {
		return Result{}, err
	}
	r, err := c.makeChange(ctx, func() (*chains.Proposal, error) { return c.proposeBullet(p, text) })
	if errors.Is(err, undo.ErrSame) {
		return Result{Text: string(p) + " says that already"}, nil
	}
	if err != nil {
		return Result{}, err
	}
	r.Text += "\nnew chats know it, this one after /memory reload"
	return r, err
}

// noteOfDefaultName returns the path of a note with the name that a new memory note would get, "" if there is none.
func (m *Memory) noteOfDefaultName() vault.Path {
	if _, err := m.vault.Stat(defaultMemory); err == nil {
		return defaultMemory
	}
	f := m.vault.Lookup(defaultMemory, vault.ToWrite)
	if len(f.Candidates) > 0 {
		return f.Candidates[0]
	}
	return f.Path
}

// proposeBullet proposes a bullet of the memory note.
func (c *Chat) proposeBullet(p vault.Path, text string) (*chains.Proposal, error) {
	j := c.desk.opts.Journal
	if err := j.Check(p, false); err != nil {
		return nil, err
	}
	plan, err := j.Plan(p, c.author("/remember", c.session.Snapshot().Turns),
		func(before string, _ bool) (string, error) { return edit.AddBullet(before, text), nil })
	if err != nil {
		return nil, err
	}
	return chains.NewProposal(j, plan), nil
}

// memory shows the memory of the chat or the origin of its bullets, reads it again, or chooses its note.
func memory(ctx context.Context, c *Place, arg string) (Result, error) {
	how, name := firstWord(arg)
	switch how = strings.ToLower(how); {
	case how == "":
		return c.showMemory(ctx)
	case how == "reload" && name == "":
		return c.setInstructions(ctx, c.project, "memory: read again")
	case how == "why" && name == "":
		return c.opts.Memory.describeOrigins()
	case how == "use" && name != "":
		return c.useMemory(ctx, name)
	}
	return Result{}, fmt.Errorf("/memory takes why, reload, use NOTE or nothing")
}

// showMemory shows the memory that the chat sends, and says whether the note has changed since.
func (c *Chat) showMemory(ctx context.Context) (Result, error) {
	known, said := c.session.Options().Instructions.Memory, ""
	if o, _, _ := c.desk.instructedOptions(ctx, c.project); o.Instructions.Memory != known {
		said = "the memory note is another one by now: /memory reload takes it into this chat, new chats do"
	}
	switch {
	case known == "" && said == "":
		return Result{Text: "this chat has no memory: /remember TEXT writes " +
			cmp.Or(c.desk.opts.Memory.Note(), defaultMemory) +
			", /memory use NOTE takes a note that there is; new chats send it to the model"}, nil
	case known == "":
		return Result{Text: "this chat has no memory; " + said}, nil
	}
	sum := prompt.NewItem(prompt.Ref{}, "", "", known).Revision
	text := fmt.Sprintf("memory: %d bytes, %s, read %s\n\n%s", len(known), sum.Short(),
		c.read.Format("2006-01-02 15:04"), known)
	if said != "" {
		text = strings.TrimRight(text, "\n") + "\n\n" + said
	}
	return Result{Text: text}, nil
}

// useMemory chooses the memory note of the vault, and writes the pending bullet into it.
func (c *Place) useMemory(ctx context.Context, name string) (Result, error) {
	m := c.opts.Memory
	if m.named != "" {
		return Result{}, fmt.Errorf("the configuration names the memory note: %s", m.named)
	}
	p, subpath, err := c.target(ctx, name)
	var notOne *vault.NameError
	if errors.As(err, &notOne) { // it may be the name of a new one
		p, err = m.vault.SettingPath(notOne.Name)
	}
	switch {
	case errors.As(err, &notOne):
		return Result{}, err
	case err != nil || p == "" || subpath != "":
		return Result{}, fmt.Errorf("%q is no name for a note of this vault", name)
	}
	if err := c.opts.Journal.Check(p, false); err != nil {
		return Result{}, err
	}
	if err := m.chooseNote(string(p), c.now()); err != nil {
		return Result{}, err
	}
	r := Result{}
	if text := c.pending; text != "" {
		c.pending = ""
		if r, err = remember(ctx, c, text); err != nil {
			return Result{}, err
		}
		r.Text += "\n"
	}
	r.Text += string(p) + " is the memory note of this vault: new chats send it to the model"
	return r, nil
}

// describeOrigins lists the origins of the bullets in the note.
func (m *Memory) describeOrigins() (Result, error) {
	p, err := m.Path()
	switch {
	case err != nil:
		return Result{}, err
	case p == "":
		return Result{Text: "there is no memory note: /remember TEXT begins one"}, nil
	}
	data, err := m.vault.ReadOwn(p)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{Text: fmt.Sprintf("there is no %s yet: /remember TEXT makes it", p)}, nil
	}
	if err != nil {
		return Result{}, err
	}
	from := map[string]memoryLine{}
	for _, l := range m.lines() {
		if l.Bullet != "" {
			from[l.Bullet] = l
		}
	}
	text := string(p) + "\n"
	note, _ := vault.Normalize(data)
	for _, b := range edit.Bullets(note) {
		text += "- " + b + "\n"
		l, ok := from[b]
		if !ok {
			text += "    written in the note itself\n"
			continue
		}
		text += fmt.Sprintf("    %s, %s", l.Time.Local().Format("2006-01-02 15:04"), l.Tool)
		if l.Chat != "" {
			text += ", " + l.Chat
			if l.Turn > 0 {
				text += fmt.Sprintf(", turn %d", l.Turn)
			}
		}
		text += "\n"
	}
	return Result{Text: strings.TrimRight(text, "\n")}, nil
}
