package chains

import (
	"context"
	"fmt"
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// Change is something that a person does to the context between turns. Exactly
// one field is set.
type Change struct {
	Forget       []prompt.Ref // withdraw items from everything that will be sent, and from the saved chat
	Mute, Unmute []prompt.Ref // keep the bytes, stop referring to them; and back
	Refresh      bool         // rebuild the library from current notes
	Layout       prompt.Layout
	Instructions *prompt.Instructions // other L1, such as a memory that was read again
	Model        *Options             // go on with another model; what depends on the model comes with it
}

// String says what the change does.
func (c Change) String() string {
	ids := func(refs []prompt.Ref) string {
		text := ""
		for i, r := range refs {
			if i > 0 {
				text += ", "
			}
			text += r.ID
		}
		return text
	}
	switch {
	case c.Forget != nil:
		return "forget " + ids(c.Forget)
	case c.Mute != nil:
		return "mute " + ids(c.Mute)
	case c.Unmute != nil:
		return "unmute " + ids(c.Unmute)
	case c.Refresh:
		return "refresh"
	case c.Layout != "":
		return "layout " + string(c.Layout)
	case c.Instructions != nil:
		return "other instructions"
	case c.Model != nil:
		return "model " + c.Model.ModelName
	}
	return "no change"
}

// Apply makes a change and saves a chat that was saved before. Nothing is paid
// until the next turn, and until then Undo takes the change back.
func (s *Session) Apply(c Change) ([]history.Warning, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	was := s.mark()
	was.change = &c
	s.apply(c)
	s.changes = append(s.changes, was)
	return s.saveAgain()
}

// saveAgain saves a chat that was saved before.
func (s *Session) saveAgain() ([]history.Warning, error) {
	if s.chat.Path == "" {
		s.publish()
		return nil, nil
	}
	return s.save()
}

func (s *Session) apply(c Change) {
	without := func(list, refs []prompt.Ref) []prompt.Ref {
		return slices.DeleteFunc(slices.Clone(list), func(r prompt.Ref) bool { return slices.Contains(refs, r) })
	}
	for _, r := range c.Forget {
		s.conv = s.conv.Forget(r.ID)
	}
	if len(c.Forget) > 0 {
		s.chat.Forgotten = append(without(s.chat.Forgotten, c.Forget), c.Forget...)
	}
	for _, r := range c.Mute {
		s.conv = s.conv.Mute(r.ID, true)
	}
	if len(c.Mute) > 0 {
		s.chat.Muted = append(without(s.chat.Muted, c.Mute), c.Mute...)
	}
	for _, r := range c.Unmute {
		s.conv = s.conv.Mute(r.ID, false)
	}
	s.chat.Muted = without(s.chat.Muted, c.Unmute)
	if c.Refresh {
		s.conv = s.conv.Refresh()
	}
	if c.Layout != "" {
		s.opts.Layout, s.chat.Layout = c.Layout, string(c.Layout)
	}
	if c.Instructions != nil {
		s.opts.Instructions = *c.Instructions
	}
	if c.Model != nil {
		o := *c.Model
		o.Gather, o.Store, o.Instructions, o.Layout = s.opts.Gather, s.opts.Store, s.opts.Instructions, s.opts.Layout
		o.Now, o.SaveEvery, o.Log = s.opts.Now, s.opts.SaveEvery, s.opts.Log
		if o.Count == nil {
			o.Count = s.opts.Count
		}
		s.opts = o
		s.chat.Model, s.chat.ModelKey = o.ModelName, ""
	}
}

// Price is what a change would cost: the prediction for the next turn as things
// are, and after the change. Nothing is changed or sent.
func (s *Session) Price(ctx context.Context, in Input, c Change) (now, then prompt.Prediction, err error) {
	if !s.busy.TryLock() {
		return now, then, ErrBusy
	}
	defer s.busy.Unlock()
	before, _, err := s.preview(ctx, in)
	if err != nil {
		return now, then, err
	}
	was := s.mark()
	s.apply(c)
	after, _, err := s.preview(ctx, in)
	s.restore(was)
	return before.Predicted, after.Predicted, err
}

// Cost words a price for a person: what the next turn reads anew because of a
// change, in tokens.
func Cost(now, then prompt.Prediction) string {
	fresh := func(p prompt.Prediction) int { return p.Prompt - p.Cached }
	switch more := fresh(then) - fresh(now); {
	case more > 0:
		return fmt.Sprintf("the next turn reads about %d tokens more at full price, once", more)
	case then.Prompt < now.Prompt:
		return fmt.Sprintf("the next turn is about %d tokens shorter", now.Prompt-then.Prompt)
	}
	return "it costs nothing"
}

// SetActive keeps with the chat how the active note is treated.
func (s *Session) SetActive(active string) ([]history.Warning, error) {
	return s.set(func() { s.chat.Active = active })
}

// SetTitle names the chat; the store moves the file.
func (s *Session) SetTitle(title string) ([]history.Warning, error) {
	return s.set(func() { s.chat.Title = title })
}

func (s *Session) set(change func()) ([]history.Warning, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	change()
	return s.saveAgain()
}
