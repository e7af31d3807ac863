package ui

import (
	"fmt"

	"ibid/chains"
	"ibid/ui/theme"
)

// header is the title, the file and its state, the model, the share of the
// window; and a rule.
func (s *screen) header() []string {
	rule := s.crossRule(&s.frame, '┬')
	if s.empty() && s.firstRun() && (s.k.chats.listed || s.k.opt.Store == nil) {
		left := s.st.Title.Render(s.g.Context.Active + " ibid")
		return []string{s.bar(left, s.st.Muted.Render("first run "+s.g.Dot+" nothing written yet")), rule}
	}
	left, state, right := s.st.Title.Render(s.title()), s.fileState(), s.modelState()
	if p := s.k.desk.chat.Path; p != "" && s.k.opt.Store != nil {
		// The path gets what the title, the state and the model leave.
		room := s.w - 2 - width(left) - width(state) - width(right) - 9
		if room >= 12 {
			left += "  " + s.st.Muted.Render(s.g.Dot+"  "+clip(theme.OneLine(p), room, s.g.Ellipsis))
		}
	}
	if state != "" {
		left += "  " + state
	}
	return []string{s.bar(left, right), rule}
}

// title is what the chat is called.
func (s *screen) title() string {
	t := theme.OneLine(s.k.desk.chat.Title)
	if s.k.turn.title != "" && s.k.desk.chat.Turns == 0 {
		t = s.k.turn.title
	}
	if t == "" || s.k.desk.chat.Path == "" && s.empty() {
		t = "New chat"
	}
	if s.k.opt.Demo {
		t = "demo " + s.g.Dot + " " + t
	}
	return clip(t, max(s.w/2, 20), s.g.Ellipsis)
}

// fileState is where the chat is kept, and whether all of it is.
func (s *screen) fileState() string {
	switch c := &s.k.desk.chat; {
	case c.Newer:
		return s.st.Warn.Render(s.g.Alert + " read-only: written by a newer ibid")
	case c.ReadOnly:
		return s.st.Warn.Render(s.g.Alert + " read-only: open in another window, /branch goes on here")
	case s.k.opt.Store == nil:
		return s.st.Muted.Render("not kept")
	case c.Path == "":
		return ""
	case s.k.turn.running() && s.k.turn.saved.Before(s.k.turn.began):
		return s.st.Muted.Render("saving")
	}
	at := ""
	if !s.k.turn.saved.IsZero() && s.w >= oneRail {
		at = " " + s.k.turn.saved.Format("15:04")
	}
	return s.st.Good.Render("saved "+s.g.Check) + s.st.Muted.Render(at)
}

// modelState is which model answers, and how full its window is.
func (s *screen) modelState() string {
	name := theme.OneLine(s.k.desk.chat.Model)
	switch name {
	case "":
		name = s.st.Warn.Render("no model")
	case s.k.opt.OfflineModel:
		name = s.st.Warn.Render("offline")
	default:
		name = s.st.Accent.Render(name)
	}
	if chain := s.k.desk.chat.Chain; chain != "" && chain != (chains.Chat{}).Name() {
		if s.k.looksUp() && s.k.desk.chat.Turns == 0 && s.w >= oneRail {
			chain += " may look up notes, shift+tab: off"
		}
		name += s.st.Muted.Render(" " + s.g.Dot + " " + chain)
	}
	if r := &s.k.estimate.report; r.Window > 0 && r.Prompt > 0 && s.w >= oneRail {
		style, sign := s.st.Muted, ""
		if r.NearlyFull() {
			style, sign = s.st.Warn, s.g.Alert+" "
		}
		name += s.st.Muted.Render(" "+s.g.Dot+" ") + style.Render(fmt.Sprintf("%sctx %d%%", sign, 100*r.Prompt/r.Window))
	}
	return name
}
