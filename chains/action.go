package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ibid/chains/calltext"
	"ibid/context/prompt"
)

// MemoryTool names the tool that changes the memory note.
const MemoryTool = "updateMemory"

// addBlockGuide tells the model how a reply proposes a note, if the question contains "@composer". Where blocks do not
// count, it adds the reason to Missing instead.
func (p *PendingTurn) addBlockGuide() {
	if !p.named.wants(ComposerRef) {
		return
	}
	if why := p.s.opts.NoBlocks(p.s.chain().Name()); why != "" {
		p.Missing = append(p.Missing, missingWord(ComposerRef, why))
		return
	}
	p.engine.Directive = calltext.BlockGuide
}

// checkMemory adds to Missing why the model cannot change the memory note, if the question contains "@memory".
// Where the model can, the word in the question tells it enough.
func (p *PendingTurn) checkMemory() {
	if !p.named.wants(MemoryRef) {
		return
	}
	if why := p.s.opts.NoMemory(p.s.chain().Name()); why != "" {
		p.Missing = append(p.Missing, missingWord(MemoryRef, why))
	}
}

// NoMemory returns why the model cannot change the memory note in the chain of this name, "" if it can.
func (o *Options) NoMemory(chain string) string {
	tool := o.Tools.toolNamed(MemoryTool)
	switch {
	case tool == nil:
		return "no notes are written here"
	case !canWrite(chain):
		return describeNoWrites(chain)
	}
	return o.Withheld(tool.Spec())
}

// NoBlocks returns why blocks in replies of the chain of this name propose nothing, "" if they do.
func (o *Options) NoBlocks(chain string) string {
	switch {
	case !canWrite(chain):
		return describeNoWrites(chain)
	case o.Tools.toolNamed(calltext.BlockTool) == nil:
		return "no notes are written here"
	case slices.Contains(o.Tools.Off, calltext.BlockTool):
		return calltext.BlockTool + " is off; /tools on " + calltext.BlockTool + " allows it"
	}
	return ""
}

// canWrite reports whether the model can propose changes in the chain of this name.
func canWrite(chain string) bool {
	switch ChainNamed(chain).(type) {
	case Agent, Plus, Project:
		return true
	}
	return false
}

func describeNoWrites(chain string) string {
	return "the chain " + cmp.Or(chain, Chat{}.Name()) + " writes no notes; /chain agent does"
}

// BlockMode is the mode argument for a call made from a block: replace the note if it exists, create it otherwise.
// The schema that models see does not contain it.
const BlockMode = "block"

// proposeBlocks proposes the changes of the blocks in a reply that has ended, as if the model had called the tool;
// but the model gets no result. A change that the person no longer answers is not written, and the reply stays.
func (t *Turn) proposeBlocks(ctx context.Context) error {
	text, _, _ := prompt.SplitNote(t.answer.raw.String())
	if t.s.opts.NoBlocks(t.s.chain().Name()) != "" {
		return nil
	}
	tool := t.s.opts.Tools.toolNamed(calltext.BlockTool)
	var jobs []*job
	for _, b := range calltext.Blocks(text) {
		if b.Err != "" {
			t.notice("action",
				fmt.Sprintf("The reply proposes to write %s, but the block %s: nothing is proposed.",
					cmp.Or(b.Path, "a note"), b.Err))
			continue
		}
		// a map of strings always marshals
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
		t.p.recordCall(j, &prompt.ToolResult{}, 0)
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
