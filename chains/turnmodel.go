package chains

import "ibid/history"

// WithModel returns o with the model of other, and with the options that depend on the model: window, cache, token
// count, titles and the way to call tools.
func (o Options) WithModel(other *Options) Options {
	n := *other
	n.Gather, n.Store, n.Instructions, n.Layout = o.Gather, o.Store, o.Instructions, o.Layout
	n.Now, n.Log, n.Chain, n.Tools, n.Large, n.Process = o.Now, o.Log, o.Chain, o.Tools, o.Large, o.Process
	n.Pages = o.Pages
	n.Tools.ComeWith(other.Tools)
	if n.Count == nil {
		n.Count = o.Count
	}
	return n
}

// setModel switches to another model until back is called; nil changes nothing. The snapshot and what Undo restores
// keep the model of the chat. The caller holds busy.
func setModel(s *Session, model *Options) (back func()) {
	if model == nil {
		return func() {}
	}
	own := s.opts
	s.opts, s.view.own = own.WithModel(model), &own
	return func() { s.opts, s.view.own = own, nil }
}

// AdoptModel replaces the model was, with which the session began, by one that was found later. No person changed
// anything, so it does not save, and Undo ignores it. A running turn finds the model by itself.
func AdoptModel(s *Session, was Model, model *Options) {
	_, _ = whenIdle(s, func() (any, error) {
		if s.opts.Model == was {
			s.opts = s.opts.WithModel(model)
			s.chat.Model, s.chat.ModelKey = model.ModelName, ""
			s.publish()
		}
		return nil, nil
	})
}

// chatOptions returns the options of the chat, whatever model answers this turn. The caller holds busy.
func chatOptions(s *Session) Options {
	if s.view.own != nil {
		return *s.view.own
	}
	return s.opts
}

// useModel switches a running turn to the model that was found for a chat without one, and records it in the chat.
// The options that come with the model apply from the next turn, because the request is already built.
func useModel(t *Turn, o *Options) {
	s := t.s
	t.foundModel = o
	known := s.opts.ModelName == o.ModelName
	s.opts.Model, s.opts.ModelName, s.opts.Calibrate = o.Model, o.ModelName, o.Calibrate
	s.chat.Model, s.chat.ModelKey = o.ModelName, ""
	if !known {
		t.emit(AnsweringModel{Options: o})
		t.keep(history.StatusCut)
	}
}

// adoptFoundModel applies the options of the model that was found.
func adoptFoundModel(t *Turn) {
	if t.foundModel != nil {
		t.s.opts = t.s.opts.WithModel(t.foundModel)
	}
}
