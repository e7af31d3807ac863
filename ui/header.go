package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// header is the title, the file and its state, and the model; and a rule, if there
// are rows enough.
func (s *screen) header() []string {
	rows := []string{s.headerRow(), s.crossRule(&s.frame, '┬')}
	return rows[:s.frame.header.h]
}

func (s *screen) headerRow() string {
	if s.empty() && s.firstRun() && len(s.k.others) == 0 && (s.k.chats.listed || s.k.opt.Store == nil) {
		left := s.st.Title.Render(s.g.Context.Active + " ibid")
		first := "first run"
		if !s.k.opt.FirstRun.Written && s.w >= 48 {
			first = dotted(s.g, first, "nothing written yet")
		}
		return s.bar(left, s.st.Muted.Render(first))
	}
	left, state, others, right := s.st.Title.Render(s.title()), s.fileState(), s.others(), s.modelState()
	if p := s.k.desk.chat.Path; p != "" && s.k.opt.Store != nil {
		// The path gets what the title, the state and the model leave.
		room := s.w - 2 - width(left) - width(state) - width(others) - width(right) - 9
		if room >= 12 {
			left += "  " + s.st.Muted.Render(s.g.Dot+"  "+clip(s.text(p), room, s.g.Ellipsis))
		}
	}
	if state != "" {
		left += "  " + state
	}
	left += others
	return s.bar(left, right)
}

// others is what goes on in the chats in the background.
func (s *screen) others() string {
	text, asks := s.k.othersSay()
	style := s.st.Muted
	switch {
	case text == "":
		return ""
	case asks:
		style = s.st.Warn
	}
	return "  " + style.Render(s.g.Dot+" "+text)
}

// title is what the chat is called, as the terminal draws it.
func (s *screen) title() string {
	return clip(s.k.Theme.Parted(s.name()), max(s.w/2, 20), s.g.Ellipsis)
}

// name is what the chat is called.
func (s *screen) name() string {
	t := theme.OneLine(s.k.desk.chat.Title)
	if s.k.turn.title != "" && s.k.desk.chat.Turns == 0 {
		t = theme.OneLine(s.k.turn.title)
	}
	if t == "" || s.k.desk.chat.Path == "" && (s.empty() || s.k.desk.chat.Turns == 0 && s.k.turn.title == "") {
		t = "New chat"
	}
	if s.k.desk.chat.Branch { // its title may be that of its origin
		t = dotted(s.g, "branch", t)
	}
	if s.k.opt.Demo {
		t = dotted(s.g, "demo", t)
	}
	return t
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
	case c.Unsaved:
		return s.st.Warn.Render(s.g.Alert + " not saved")
	case c.Path == "":
		return ""
	case c.Recovered:
		return s.st.Warn.Render(s.g.Alert + " recovered, not in the file yet")
	case s.k.turn.running() && s.k.turn.saved.Before(s.k.turn.began):
		return s.st.Muted.Render("saving")
	}
	return s.st.Good.Render("saved " + s.g.Check)
}

// modelState is which model answers, that its window is nearly full, and what the chat
// has cost.
func (s *screen) modelState() string {
	name := theme.OneLine(s.k.desk.chat.Model)
	switch {
	case name == "":
		name = s.st.Warn.Render("no model")
	case s.k.offline():
		name = s.st.Warn.Render("offline")
	default:
		name = s.st.Accent.Render(name)
	}
	add := func(ink theme.Ink, text string) {
		name += s.st.Muted.Render(" "+s.g.Dot+" ") + ink.Render(text)
	}
	if chain := s.k.desk.chat.Chain; chain != "" && chain != (chains.Chat{}).Name() {
		if s.k.looksUp() && s.k.desk.chat.Turns == 0 && s.w >= roomy {
			chain += " may look up notes, shift+tab: off"
		}
		add(s.st.Muted, chain)
	}
	if says := s.k.desk.writesSay(s.w >= policyWidth); says != "" {
		add(s.st.Warn, says)
	}
	if r := &s.k.estimate.report; r.NearlyFull() && s.frame.ribbon.h == 0 && s.frame.context.w == 0 { // which say so
		add(s.st.Warn, fmt.Sprintf("%s %d%% full", s.g.Alert, 100*r.Prompt/r.Window))
	}
	if s.w < roomy {
		return name
	}
	if said := s.k.desk.learnedSay(); said != "" {
		add(s.st.Muted, inspector.Window(s.k.desk.window)+" "+said)
	}
	cost := chains.Dollars(s.k.desk.chat.Cost())
	if cost != "" {
		add(s.st.Muted, cost)
	}
	if run := chains.Dollars(s.k.spent); run != "" && run != cost {
		add(s.st.Muted, run+" this session")
	}
	return name
}

// policyWidth is the width from which on the header says that the user is asked.
const policyWidth = 72

// writesMark begins what the header says of changes that the model proposes.
const writesMark = "writes: "

// writesSay is what becomes of changes that the model proposes, "" if the user is
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

// pressHeader is what a click on column x of the header wants: the list of models, the
// next chain, or, where it says what becomes of changes, to be asked about them again or
// else to refuse them.
func pressHeader(row string, x int, k *known) intent {
	row = strings.TrimRight(ansi.Strip(row), " ")
	at := strings.LastIndex(row, "  ") + 2
	if at < 2 {
		return nil
	}
	d, dot, from := &k.desk, " "+k.Theme.Glyphs.Dot+" ", width(row[:at])
	for i, part := range strings.Split(row[at:], dot) {
		to := from + width(part)
		switch {
		case x < from || x >= to:
		case i == 0 && (part == theme.OneLine(d.chat.Model) || part == "no model"):
			return openPage{kind: pageModels}
		case i == 1 && d.chat.Chain != "" && strings.HasPrefix(part, d.chat.Chain):
			return atDesk{command{line: "/chain next"}}
		case strings.HasPrefix(part, writesMark) && d.policy != nil:
			return atDesk{setPolicy{d.policy.Mode() == chains.ModeAsk}}
		}
		from = to + width(dot)
	}
	return nil
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
