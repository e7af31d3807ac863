package chains

import (
	"context"
	"fmt"
	"slices"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// Change is a change that a person makes to the context between turns. Exactly one field is set, besides Done.
type Change struct {
	Done   string       // what it does, in words, for the person who takes it back
	Forget []prompt.Ref // withdraws items from all later requests and from the saved chat
	// stop (start) to refer to items; their bytes stay in the library, so that the cache keeps them
	Mute, Unmute []prompt.Ref
	Refresh      bool // rebuilds the library from the current notes
	Layout       prompt.Layout
	Instructions *prompt.Instructions // replace L1, for instance after the memory note was read again
	Chain        Chain                // answers the next turns
	// names of the tools that are not offered; all others are; empty, but not nil, offers all
	Off     []string
	Model   *Options // the model of the next turns, with the options that depend on it
	Variant int      // shows this variant of the last turn, counted from 1; set by ShowVariant and Retry only
}

// Apply makes a change, and saves the chat if it was saved before. It costs nothing until the next turn, and until
// then Undo takes it back.
func (s *Session) Apply(c Change) error {
	return s.changeAndSave(func() error {
		was := s.mark()
		s.apply(c)
		recordChange(s, was, c)
		return nil
	})
}

// saveAgain saves a chat that has a file; for one that has none it only publishes the new state.
func (s *Session) saveAgain() error {
	if s.chat.Path == "" {
		s.publish()
		return nil
	}
	_, err := s.save()
	return err
}

// forgetRefs returns c without items, also in the context lines of its history.
func forgetRefs(c prompt.Conversation, refs []prompt.Ref, count func(string) int) prompt.Conversation {
	for _, r := range refs {
		c = c.Forget(r.ID)
	}
	return c.Relabel(func(line string) string { return history.LineWithout(line, refs) }, count)
}

// muteRefs returns c with items muted, or not muted any more if on is false.
func muteRefs(c prompt.Conversation, refs []prompt.Ref, on bool) prompt.Conversation {
	for _, r := range refs {
		c = c.Mute(r.ID, on)
	}
	return c
}

func (s *Session) apply(c Change) {
	s.version++
	if forget := s.withDependents(c.Forget); len(forget) > 0 {
		s.conv = forgetRefs(s.conv, forget, s.opts.Count)
		s.chat.Forgotten = append(withoutRefs(s.chat.Forgotten, forget), forget...)
		s.chat.Withdraw(forget)
	}
	mute, unmute := s.withDependents(c.Mute), s.withDependents(c.Unmute)
	s.conv = muteRefs(muteRefs(s.conv, mute, true), unmute, false)
	s.chat.Muted = withoutRefs(append(withoutRefs(s.chat.Muted, mute), mute...), unmute)
	if c.Refresh {
		s.conv = s.conv.Refresh()
	}
	if c.Layout != "" {
		s.opts.Layout, s.chat.Layout = c.Layout, string(c.Layout)
	}
	if c.Instructions != nil {
		s.opts.Instructions = *c.Instructions
		s.chat.Project = projectOf(*c.Instructions)
	}
	if c.Chain != nil {
		s.opts.Chain, s.chat.Chain = c.Chain, c.Chain.Name()
	}
	if c.Off != nil {
		s.opts.Tools.Off, s.chat.Choices.ToolsOff = c.Off, c.Off
	}
	if c.Model != nil {
		s.opts = s.opts.WithModel(c.Model)
		s.chat.Model, s.chat.ModelKey = s.opts.ModelName, ""
	}
}

// withDependents returns refs with everything that depends on them: the notes of a folder or a tag that were ever
// sent in this chat, and the parts of a note.
func (s *Session) withDependents(refs []prompt.Ref) []prompt.Ref {
	var all []prompt.Ref
	add := func(r prompt.Ref) {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	library := s.chat.Library()
	for _, r := range refs {
		add(r)
		members := s.refsWithin(r)
		for _, k := range library {
			if slices.Contains(members, k.Ref) {
				add(k.Ref)
			}
		}
	}
	for _, it := range s.conv.Known() {
		if it.Ref.Kind != prompt.URL && slices.Contains(all, prompt.NoteRef(it.Path)) {
			add(it.Ref)
		}
	}
	return all
}

// Price returns the predictions for the next turn as things are, and as they would be after a change. It changes
// and sends nothing. It fails with ErrBusy while the session works.
func (s *Session) Price(ctx context.Context, in Input, c Change) (now, then prompt.Prediction, err error) {
	if !s.busy.TryLock() {
		return now, then, ErrBusy
	}
	defer s.busy.Unlock()
	before := s.plan(ctx, in, false)
	if before.err != nil {
		return now, then, before.err
	}
	after := s.planChanged(ctx, in, c)
	return before.Envelope.Predicted, after.Envelope.Predicted, after.err
}

// planChanged plans a turn as if the change had been made, and then restores the session. The caller holds busy.
func (s *Session) planChanged(ctx context.Context, in Input, c Change) *PendingTurn {
	was, version := s.mark(), s.version
	s.apply(c)
	p := s.plan(ctx, in, false)
	s.moment, s.version = was, version
	return p
}

// Rereads forecasts how many tokens from earlier turns every turn that attaches something new reads again at full
// price after the change. Price is about the next turn alone.
func (s *Session) Rereads(ctx context.Context, in Input, c Change) (int, error) {
	return whenIdle(s, func() (int, error) {
		p := s.planChanged(ctx, in, c)
		if p.err != nil {
			return 0, p.err
		}
		return p.rereadTokens()
	})
}

// rereadTokens predicts how many tokens the turn after this one reads again, if it attaches the same things and
// this one attaches a note more. The question and the reply of this turn do not count, since they are new in any case.
func (p *PendingTurn) rereadTokens() (int, error) {
	const reply = "A reply."
	t := p.engine
	t.Attached = append(slices.Clip(t.Attached), prompt.NewItem(prompt.NoteRef("\x00"), "", "", "A note."))
	env, err := p.conv.Prepare(t)
	if err != nil {
		return 0, err
	}
	t = p.engine
	t.Cache.Cold = false
	if env, err = env.Commit(reply, "").Prepare(t); err != nil {
		return 0, err
	}
	again := uncachedTokens(env.Predicted)
	for _, l := range env.Layers {
		if l.ID == "L3" || l.ID == "L5" {
			again -= l.Tokens
		}
	}
	return max(0, again-t.Count(reply)), nil
}

// Cost returns a sentence with the number of tokens more that the next turn reads at full price because of a change.
func Cost(now, then prompt.Prediction) string {
	switch more := uncachedTokens(then) - uncachedTokens(now); {
	case more > 0:
		return fmt.Sprintf("the next turn reads about %s tokens more at full price, once", md.Thousands(more))
	case then.Prompt < now.Prompt:
		return fmt.Sprintf("the next turn is about %s tokens shorter", md.Thousands(now.Prompt-then.Prompt))
	}
	return "the next turn reads no more at full price"
}

// SetActive records in the chat how the active note is treated, and saves a chat that has a file.
func (s *Session) SetActive(active string) error {
	return s.changeAndSave(func() error {
		s.chat.Choices.Active = active
		return nil
	})
}

// SetTitle sets the title of the chat. The file keeps its name; the store renames files.
func (s *Session) SetTitle(title string) error {
	return s.changeAndSave(func() error {
		s.chat.Title = title
		return nil
	})
}

// Edit changes the properties of the chat that lists show, such as its pin and tags, and saves a chat that has a
// file. It fails if the chat is read-only, or if change does.
func (s *Session) Edit(change func(*history.Chat) error) error {
	return s.changeAndSave(func() error {
		if s.chat.ReadOnly {
			return errReadOnly
		}
		return change(&s.chat)
	})
}

// changeAndSave makes a change with the lock of the session and saves the chat, or returns ErrBusy.
func (s *Session) changeAndSave(change func() error) error {
	if !s.busy.TryLock() {
		return ErrBusy
	}
	defer s.busy.Unlock()
	if err := change(); err != nil {
		return err
	}
	return s.saveAgain()
}
