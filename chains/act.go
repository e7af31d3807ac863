package chains

import (
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// Forget withdraws an item from everything that will be sent and from the saved
// chat. It costs one rebuild of the prompt.
func (s *Session) Forget(ref prompt.Ref) ([]history.Warning, error) {
	return s.act(func() {
		s.conv = s.conv.Forget(ref.ID)
		if !slices.Contains(s.chat.Forgotten, ref) {
			s.chat.Forgotten = append(slices.Clone(s.chat.Forgotten), ref)
		}
	})
}

// Mute keeps an item's bytes where they are but stops referring to it.
func (s *Session) Mute(ref prompt.Ref, muted bool) ([]history.Warning, error) {
	return s.act(func() {
		s.conv = s.conv.Mute(ref.ID, muted)
		s.chat.Muted = slices.DeleteFunc(slices.Clone(s.chat.Muted), func(r prompt.Ref) bool { return r == ref })
		if muted {
			s.chat.Muted = append(s.chat.Muted, ref)
		}
	})
}

// Refresh makes the next turn rebuild the library from what the notes hold then.
func (s *Session) Refresh() error {
	_, err := s.act(func() { s.conv = s.conv.Refresh() })
	return err
}

// SetLayout changes when items move into the library.
func (s *Session) SetLayout(layout prompt.Layout) ([]history.Warning, error) {
	return s.act(func() { s.opts.Layout, s.chat.Layout = layout, string(layout) })
}

// SetActive keeps with the chat how the active note is treated.
func (s *Session) SetActive(active string) ([]history.Warning, error) {
	return s.act(func() { s.chat.Active = active })
}

// SetTitle names the chat; the store moves the file.
func (s *Session) SetTitle(title string) ([]history.Warning, error) {
	return s.act(func() { s.chat.Title = title })
}

// SetModel goes on with another model. What depends on the model comes with it.
func (s *Session) SetModel(o Options) ([]history.Warning, error) {
	return s.act(func() {
		o.Gather, o.Store, o.Instructions, o.Layout = s.opts.Gather, s.opts.Store, s.opts.Instructions, s.opts.Layout
		o.Now, o.SaveEvery = s.opts.Now, s.opts.SaveEvery
		if o.Count == nil {
			o.Count = s.opts.Count
		}
		s.opts = o
		s.chat.Model, s.chat.ModelKey = o.ModelName, ""
	})
}

// act changes the session between turns and saves a chat that has been saved before.
func (s *Session) act(change func()) ([]history.Warning, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	change()
	s.publish()
	if s.chat.Path == "" {
		return nil, nil
	}
	return s.save()
}
