package ui

import (
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// header returns the row with the title, the file, its state and the model, and a rule below it if
// there are enough rows.
func (s *screen) header() []string {
	rows := []string{s.headerRow(), s.crossRule()}
	return rows[:s.frame.header.H]
}

func (s *screen) headerRow() string {
	if s.empty() && s.firstRun() && len(s.others) == 0 && (s.Chats.Listed || s.Store == nil) {
		left := s.Styles.Title.Render(s.Glyphs.Context.Active + " ibid")
		first := "first run"
		if !s.opt.FirstRun.Written && s.Width >= 48 {
			first = s.Glyphs.Dotted(first, "nothing written yet")
		}
		return s.Bar(left, s.Styles.Muted.Render(first))
	}
	left, state, others, right := s.Styles.Title.Render(s.title()), s.fileState(), s.otherChats(), s.modelState()
	if p := s.Desk.Chat.Path; p != "" && s.Store != nil {
		// the path gets the room that the title, the state and the model leave
		room := s.Width - 2 - term.Width(left) - term.Width(state) - term.Width(others) - term.Width(right) - 9
		if room >= 12 {
			left += "  " + s.Styles.Muted.Render(s.Glyphs.Dot+"  "+term.Clip(theme.OneLine(p), room, s.Glyphs.Ellipsis))
		}
	}
	if state != "" {
		left += "  " + state
	}
	left += others
	return s.Bar(left, right)
}

// otherChats returns the summary of the chats in the background for the header.
func (s *screen) otherChats() string {
	text, asks := s.openChats.summary()
	style := s.Styles.Muted
	switch {
	case text == "":
		return ""
	case asks:
		style = s.Styles.Warn
	}
	return "  " + style.Render(s.Glyphs.Dot+" "+text)
}

// title returns the name of the chat for drawing, clipped to half of the width.
func (s *screen) title() string {
	return term.Clip(s.name(), max(s.Width/2, 20), s.Glyphs.Ellipsis)
}

// name returns the name of the chat: its title, that of the running first turn, or "New chat".
func (s *screen) name() string {
	t := theme.OneLine(s.Desk.Chat.Title)
	if s.Turn.Title != "" && s.Desk.Chat.Turns == 0 {
		t = theme.OneLine(s.Turn.Title)
	}
	if t == "" || s.Desk.Chat.Path == "" && (s.empty() || s.Desk.Chat.Turns == 0 && s.Turn.Title == "") {
		t = "New chat"
	}
	if s.Desk.Chat.Branch { // its title may be the one of its origin
		t = s.Glyphs.Dotted("branch", t)
	}
	if s.opt.Demo {
		t = s.Glyphs.Dotted("demo", t)
	}
	return t
}

// fileState returns the state of the chat's file for the header.
func (s *screen) fileState() string {
	switch c := &s.Desk.Chat; {
	case c.Newer:
		return s.Styles.Warn.Render(s.Glyphs.Alert + " read-only: written by a newer ibid")
	case c.ReadOnly:
		return s.Styles.Warn.Render(s.Glyphs.Alert + " read-only: open in another window, /branch goes on here")
	case s.Store == nil:
		return s.Styles.Muted.Render("not kept")
	case c.Unsaved:
		return s.Styles.Warn.Render(s.Glyphs.Alert + " not saved")
	case c.Path == "":
		return ""
	case c.Recovered:
		return s.Styles.Warn.Render(s.Glyphs.Alert + " recovered, not in the file yet")
	case s.Turn.Running() && s.Turn.Saved.Before(s.Turn.Began):
		return s.Styles.Muted.Render("saving")
	}
	return s.Styles.Good.Render("saved " + s.Glyphs.Check)
}

// span is a part of the header with the request of a click on it.
type span struct {
	text string
	does page.Request
}

// modelState returns the right part of the header: the model, the chain, warnings and costs.
func (s *screen) modelState() string {
	spans := s.modelSpans()
	texts := make([]string, len(spans))
	for i := range spans {
		texts[i] = spans[i].text
	}
	return strings.Join(texts, s.separator())
}

// separator returns the separator of the spans.
func (s *screen) separator() string { return s.Styles.Muted.Render(" " + s.Glyphs.Dot + " ") }

// modelSpans returns the parts of modelState with the requests of clicks on them. The model leads to
// the list of models, the chain to the next one; the one about writes switches between refusing changes
// and asking about them.
func (s *screen) modelSpans() []span {
	d := &s.Desk
	name := theme.OneLine(d.Chat.Model)
	switch {
	case name == "":
		name = s.Styles.Warn.Render("no model")
	case s.Offline():
		name = s.Styles.Warn.Render("offline")
	default:
		name = s.Styles.Accent.Render(name)
	}
	spans := []span{{name, page.Open{ID: page.Models}}}
	add := func(ink theme.Ink, text string, does page.Request) {
		spans = append(spans, span{ink.Render(text), does})
	}
	if chain := d.Chat.Chain; chain != "" && chain != (chains.Chat{}).Name() {
		add(s.Styles.Muted, chain, page.Run{Line: "/chain next"})
	}
	if says := describeWrites(d, s.Width >= policyWidth); says != "" {
		add(s.Styles.Warn, says, page.Post{Msg: setPolicy(d.Policy.Mode() == chains.ModeAsk)})
	}
	// the ribbon and the rail show that, too
	if r := &s.Estimate.Report; r.NearlyFull() && s.frame.ribbon.H == 0 && s.frame.context.W == 0 {
		add(s.Styles.Warn, fmt.Sprintf("%s %d%% full", s.Glyphs.Alert, 100*r.Prompt/r.Window), nil)
	}
	if s.Width < roomy {
		return spans
	}
	cost := chains.Dollars(d.Chat.Cost())
	if cost != "" {
		add(s.Styles.Muted, cost, nil)
	}
	if run := chains.Dollars(s.spent); run != "" && run != cost {
		add(s.Styles.Muted, run+" this session", nil)
	}
	return spans
}

// statusHasHeader reports whether the status of a low screen shows the parts of the header.
func (s *screen) statusHasHeader() bool {
	return s.toast.Text == "" && !s.Keys.Held && !s.Turn.Running()
}

// pressHeader maps a click on column x of the header to a request, nil for none. The spans stand at the
// end of the row, before a space.
func (s *screen) pressHeader(x int) page.Request {
	from := s.Width - 1 - term.Width(s.modelState())
	for _, part := range s.modelSpans() {
		to := from + term.Width(part.text)
		if x >= from && x < to {
			return part.does
		}
		from = to + term.Width(s.separator())
	}
	return nil
}

// policyWidth is the number of columns from which the header says that the user is asked about changes.
const policyWidth = 72

// describeWrites describes how changes that the model proposes are treated. It is "" if the model proposes
// none, and, unless roomy, if the user is asked about each.
func describeWrites(s *chatview.State, roomy bool) string {
	if s.Policy == nil {
		return ""
	}
	switch s.Policy.Mode() {
	case chains.ModeReadOnly:
		return "writes: off"
	case chains.ModeNote:
		return "writes: " + theme.Plural(len(s.Policy.Notes()), "note")
	case chains.ModeAsk:
		if roomy && s.Writes && s.Chat.Chain != "" && s.Chat.Chain != (chains.Chat{}).Name() {
			return "writes: " + string(chains.ModeAsk)
		}
	}
	return ""
}

// crossRule returns the rule below the header, which meets the rules of the rails.
func (s *screen) crossRule() string {
	f := &s.frame
	if f.context.W == 0 || s.Glyphs.Rule != "─" {
		return s.Rule()
	}
	cells := []rune(strings.Repeat("─", s.Width))
	cells[f.context.X-2] = '┬'
	if f.chats.W > 0 {
		cells[f.chats.W] = '┬'
	}
	return s.Styles.Border.Render(string(cells))
}
