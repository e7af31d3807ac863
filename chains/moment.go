package chains

import (
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// moment is a session at one time. It is a value: to go back is to go on from an
// earlier one.
type moment struct {
	chat       history.Chat
	conv       prompt.Conversation
	opts       Options
	unanswered bool     // the last message was cancelled before anything came: it goes when another is sent
	stale      bool     // conv is not what the chat says (pages unread, file merged): the next turn rebuilds it
	changes    []moment // before each change since the last turn
	change     *Change  // that followed, in a moment of changes
}

// turnState keeps of a moment, where a turn begins or ends, only what going back needs.
type turnState struct {
	conv      prompt.Conversation
	stale     bool
	in        Input        // of the turn
	forgotten []prompt.Ref // when it began
}

// pastTurns holds the states to which undoing and changing replies go back.
type pastTurns struct {
	begun map[int]turnState // by number
	ended turnEnds
}

// mark is the moment to come back to. A model that answers only this turn is not in it.
func (s *Session) mark() moment {
	m := s.moment
	m.opts = chatOptions(s)
	m.chat.Messages = slices.Clone(m.chat.Messages)
	return m
}

// recordChange notes that a change followed a moment.
func recordChange(s *Session, was moment, c Change) {
	was.change = &c
	s.changes, s.redo = append(slices.Clip(s.changes), was), nil
}

// restore goes back to a moment. What belongs to the file and not to the conversation
// stays as it is: its name, and what is known to be in it. So do the tools that there are.
func (s *Session) restore(m moment) {
	s.version++
	c, was, tools := s.chat, &m.chat, s.opts.Tools
	c.Messages, c.Undone, c.Muted, c.Forgotten = was.Messages, was.Undone, was.Muted, was.Forgotten
	c.Choices.ToolsOff = was.Choices.ToolsOff
	c.Layout, c.Model, c.ModelKey, c.Project, c.Chain = was.Layout, was.Model, was.ModelKey, was.Project, was.Chain
	s.moment = m
	s.chat, s.change = c, nil
	s.opts.Tools.equip(&tools)
}
