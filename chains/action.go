package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// Action is a block in the text of a reply that proposes to write a note.
type Action = calltext.Block

// Actions finds those of a text, also of one that is still coming. They count in
// replies of chains that recognise them.
func Actions(text string) []Action { return calltext.Blocks(text) }

// MemoryTool is the name of the tool that changes the memory note.
const MemoryTool = "updateMemory"

// ComposerRef stands for the wish that the reply writes a note, in references as a
// person writes them; MemoryRef for one that has to do with the memory note.
func ComposerRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@composer"} }

// MemoryRef stands for the memory note, see ComposerRef.
func MemoryRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@memory"} }

// compose tells the model how a reply proposes to write a note, if the person wants one
// that does.
func (p *PendingTurn) compose() {
	if !p.named.compose {
		return
	}
	if why := p.s.opts.NoBlocks(p.s.chain().Name()); why != "" {
		p.Missing = append(p.Missing, missingWord(ComposerRef(), why))
		return
	}
	p.engine.Directive = calltext.BlockGuide
}

// aboutMemory says why the model cannot change the memory note, if the person wants it to.
// Where it can, the word in the question tells it.
func (p *PendingTurn) aboutMemory() {
	if !p.named.memory {
		return
	}
	if why := p.s.opts.NoMemory(p.s.chain().Name()); why != "" {
		p.Missing = append(p.Missing, missingWord(MemoryRef(), why))
	}
}

// NoMemory is why the model cannot change the memory note in the chain of this name, ""
// if it can.
func (o *Options) NoMemory(chain string) string {
	tool := o.Tools.named(MemoryTool)
	switch {
	case tool == nil:
		return "there is no memory note; /remember TEXT begins one"
	case !writes(chain):
		return noWrites(chain)
	}
	return o.Withheld(tool.Spec())
}

// NoBlocks is why blocks do not count in the replies of the chain of this name, "" if
// they do.
func (o *Options) NoBlocks(chain string) string {
	switch {
	case !writes(chain):
		return noWrites(chain)
	case o.Tools.named(blockTool) == nil:
		return "no notes are written here"
	case slices.Contains(o.Tools.Off, blockTool):
		return blockTool + " is off; /tools on " + blockTool + " allows it"
	}
	return ""
}

// writes reports whether the model can propose changes in the chain of this name.
func writes(chain string) bool {
	_, ok := ChainNamed(chain).(actor)
	return ok
}

func noWrites(chain string) string {
	return "the chain " + cmp.Or(chain, Chat{}.Name()) + " writes no notes; /chain agent does"
}

// withoutActions is a text without the blocks that propose something.
func withoutActions(text string) string {
	for _, b := range slices.Backward(Actions(text)) {
		if b.Err == "" {
			text = strings.TrimLeft(strings.TrimRight(text[:b.From], "\n")+"\n\n"+strings.TrimLeft(text[b.To:], "\n"), "\n")
		}
	}
	return text
}

// actor is a chain in which the blocks of a reply are proposals.
type actor interface{ acts() }

func (Agent) acts() {}
func (Plus) acts()  {}

// DrawActions is a reply in which the blocks that propose to write a note are a line
// each.
func DrawActions(text string) string {
	r := NewActionReader()
	return r.Write(text) + r.Close()
}

// ActionReader is DrawActions for a reply that streams.
type ActionReader struct{ calltext.BlockReader }

// NewActionReader returns a reader of a reply that has not begun.
func NewActionReader() *ActionReader {
	return &ActionReader{calltext.BlockReader{Draw: drawAction}}
}

// Writing says what note a block is being written for, "" if none is.
func (r *ActionReader) Writing() string {
	path, lines, open := r.BlockReader.Writing()
	switch {
	case !open:
		return ""
	case path == "":
		return "writing a note"
	}
	return "writing " + path + ", " + md.Plural(lines, "line") + " so far"
}

// drawAction is the line that stands for a block.
func drawAction(a Action, raw string) string {
	if a.Err != "" {
		return raw
	}
	lines := strings.Count(strings.TrimSuffix(a.Content, "\n"), "\n") + 1
	return "> proposes to write [[" + strings.TrimSuffix(a.Path, ".md") + "]], " + md.Plural(lines, "line") + "\n"
}

// DrawnPage is DrawnChat with the blocks that proposed something drawn, see DrawActions.
func DrawnPage(c *history.Chat) history.Chat {
	out := DrawnChat(c)
	for i := range out.Messages {
		if m := &out.Messages[i]; hasProposals(m) {
			m.Text = DrawActions(m.Text)
		}
	}
	return out
}

// hasProposals reports whether blocks of a message were proposals.
func hasProposals(m *history.Message) bool {
	return slices.ContainsFunc(m.Meta.Tools, func(u history.ToolUse) bool { return u.Name == blockTool })
}

// blockTool makes the proposals of blocks.
const blockTool = "writeToFile"

// BlockMode is the mode with which it does: a note that is there is replaced, and any
// other one created. No model is told of it.
const BlockMode = "block"

// act makes the changes that the blocks of a reply propose, once it has ended: as if the
// model had called the tool, but that it gets no result. What the person does not
// answer any more is not written, and the reply stays.
func (t *Turn) act(ctx context.Context) error {
	text, _, _ := prompt.SplitNote(t.answer.raw.String())
	if t.s.opts.NoBlocks(t.s.chain().Name()) != "" {
		return nil
	}
	tool := t.s.opts.Tools.named(blockTool)
	var jobs []*job
	for _, b := range Actions(text) {
		if b.Err != "" {
			if b.Path != "" || strings.Contains(text[b.From:b.To], ">") {
				t.notice("action", fmt.Sprintf("The reply proposes to write %s, but the block %s: nothing is proposed.", cmp.Or(b.Path, "a note"), b.Err))
			}
			continue
		}
		args, _ := json.Marshal(map[string]string{"path": b.Path, "content": b.Content, "mode": BlockMode}) // strings always marshal
		j := newJob(tool, args)
		j.n = t.number(&j.call)
		jobs = append(jobs, j)
		t.emit(ToolStarted{Call: j.call, N: j.n, Round: t.loop.rounds + 1, Most: t.loop.limits.Rounds})
	}
	if len(jobs) == 0 {
		return nil
	}
	err := (changes{t}).run(t.p.caller().In(ctx), jobs)
	for _, j := range jobs {
		if j.state == "" {
			j.state = ToolRefused
		}
		t.p.note(j, &prompt.ToolResult{})
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
