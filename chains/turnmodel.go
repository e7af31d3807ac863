package chains

import "ibid/history"

// WithModel is o with the model of other, and what depends on that: its window, cache,
// count and how it calls tools.
func (o Options) WithModel(other *Options) Options {
	n := *other
	n.Gather, n.Store, n.Instructions, n.Layout = o.Gather, o.Store, o.Instructions, o.Layout
	n.Now, n.Log, n.Chain, n.Tools, n.Large, n.Process = o.Now, o.Log, o.Chain, o.Tools, o.Large, o.Process
	n.Tools.ComeWith(other.Tools)
	if o.Background.Titles.Own == nil && other.Background.Titles.Own == nil { // else one of them sends nothing
		n.Background.Titles = o.Background.Titles
	}
	if n.Count == nil {
		n.Count = o.Count
	}
	return n
}

// setModel has another model answer until back is called; nil changes nothing. What
// others see of the session, and what can be undone, keeps the model of the chat. busy is
// held.
func setModel(s *Session, model *Options) (back func()) {
	if model == nil {
		return func() {}
	}
	own := s.opts
	s.opts, s.view.own = own.WithModel(model), &own
	return func() { s.opts, s.view.own = own, nil }
}

// AdoptModel has another model answer in place of was, where that is the one with which the
// session began: it was found since. A person changed nothing, so that nothing is saved
// before the next turn, and nothing can be undone. A turn that runs finds it by itself.
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

// chatOptions are the options of the chat, whatever model answers this turn; busy is held.
func chatOptions(s *Session) Options {
	if s.view.own != nil {
		return *s.view.own
	}
	return s.opts
}

// useModel goes on with the model that was found for a chat without one, and keeps
// the choice. What else comes with it counts from the next turn on: the request is made.
func useModel(t *Turn, o *Options) {
	s := t.s
	t.found = o
	known := s.opts.ModelName == o.ModelName
	s.opts.Model, s.opts.ModelName, s.opts.Calibrate = o.Model, o.ModelName, o.Calibrate
	s.chat.Model, s.chat.ModelKey = o.ModelName, ""
	if !known {
		t.emit(AnsweringModel{Options: o})
		t.keep(history.StatusCut)
	}
}

// adoptFound has the session go on with all that comes with the model that was found.
func adoptFound(t *Turn) {
	if t.found != nil {
		t.s.opts = t.s.opts.WithModel(t.found)
	}
}
