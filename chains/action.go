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
)

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
	tool := o.Tools.toolNamed(MemoryTool)
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
	case o.Tools.toolNamed(calltext.BlockTool) == nil:
		return "no notes are written here"
	case slices.Contains(o.Tools.Off, calltext.BlockTool):
		return calltext.BlockTool + " is off; /tools on " + calltext.BlockTool + " allows it"
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

// actor is a chain in which the blocks of a reply are proposals.
type actor interface{ acts() }

func (Agent) acts() {}
func (Plus) acts()  {}

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
	tool := t.s.opts.Tools.toolNamed(calltext.BlockTool)
	var jobs []*job
	for _, b := range calltext.Blocks(text) {
		if b.Err != "" {
			if b.Path != "" || strings.Contains(text[b.From:b.To], ">") {
				t.notice("action",
					fmt.Sprintf("The reply proposes to write %s, but the block %s: nothing is proposed.",
						cmp.Or(b.Path, "a note"), b.Err))
			}
			continue
		}
		// strings always marshal
		args, _ := json.Marshal(map[string]string{"path": b.Path, "content": b.Content, "mode": BlockMode})
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
