package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/chains/desk"
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
	if t == "" || s.k.desk.chat.Path == "" && (s.empty() || s.k.desk.chat.Turns == 0 && s.k.turn.title == "") {
		t = "New chat"
	}
	if s.k.desk.chat.Branch { // its title may be that of its origin
		t = "branch " + s.g.Dot + " " + t
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

// modelState is which model answers, how full its window is, and what the chat has cost.
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
	if says := s.k.desk.writesSay(s.w >= policyWidth); says != "" {
		name += s.st.Muted.Render(" "+s.g.Dot+" ") + s.st.Warn.Render(says)
	}
	if r := &s.k.estimate.report; r.Window > 0 && r.Prompt > 0 && s.w >= oneRail {
		style, sign := s.st.Muted, ""
		if r.NearlyFull() {
			style, sign = s.st.Warn, s.g.Alert+" "
		}
		name += s.st.Muted.Render(" "+s.g.Dot+" ") + style.Render(fmt.Sprintf("%sctx %d%%", sign, 100*r.Prompt/r.Window))
	}
	if cost := chains.Dollars(s.k.desk.chat.Cost()); cost != "" && s.w >= oneRail {
		name += s.st.Muted.Render(" " + s.g.Dot + " " + cost)
	}
	return name
}

// policyWidth is the width from which on the header says that the person is asked.
const policyWidth = 72

// writesMark begins what the header says of changes that the model proposes.
const writesMark = "writes: "

// writesSay is what becomes of changes that the model proposes, "" if the person is
// asked about each of them and there is little room, or if it proposes none.
func (s *deskState) writesSay(roomy bool) string {
	if s.policy == nil {
		return ""
	}
	switch s.policy.Mode() {
	case chains.ModeReadOnly:
		return writesMark + "off"
	case chains.ModeNote:
		return writesMark + theme.Plural(len(s.policy.Notes()), "note")
	case chains.ModeAsk:
		if roomy && s.writes && s.chat.Chain != "" && s.chat.Chain != (chains.Chat{}).Name() {
			return writesMark + string(chains.ModeAsk)
		}
	}
	return ""
}

// pressHeader is what a click on column x of the header wants: where it says what
// becomes of changes, they are asked about again, or else refused.
func pressHeader(row string, x int, d *deskState) intent {
	row = ansi.Strip(row)
	at := strings.LastIndex(row, writesMark)
	if at < 0 || d.policy == nil {
		return nil
	}
	mark, _, _ := strings.Cut(row[at+len(writesMark):], "  ")
	from := width(row[:at])
	if x < from || x >= from+len(writesMark)+width(mark) {
		return nil
	}
	return atDesk{setPolicy{d.policy.Mode() == chains.ModeAsk}}
}

// setPolicy has the model's changes refused, or asked about.
type setPolicy struct{ readOnly bool }

func (j setPolicy) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	d.Session().Policy().Set(j.readOnly)
	if j.readOnly {
		return answerMsg{"changes that the model proposes are refused in this chat"}, nil
	}
	return answerMsg{"you are asked about each change that the model proposes"}, nil
}
