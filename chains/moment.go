package chains

import (
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// moment is the state of a session at one time, as a value: to go back is to restore an earlier one.
type moment struct {
	chat       history.Chat
	conv       prompt.Conversation
	opts       Options
	unanswered bool     // the last turn was cancelled before any reply; the next one replaces its message
	stale      bool     // conv does not match the chat (pages unread, file merged): the next turn rebuilds it
	changes    []moment // states before each change since the last turn
	change     *Change  // change that followed this state, set in changes only
}

// turnState is the part of a moment that is needed to go back to the start or the end of a turn.
type turnState struct {
	conv      prompt.Conversation
	stale     bool         // conv does not match the chat and must be rebuilt
	in        Input        // input of the turn
	forgotten []prompt.Ref // at the start of the turn
}

// pastTurns holds the states to which Undo and variants go back.
type pastTurns struct {
	begun map[int]turnState // by the number of the turn
	ended turnEnds
}

// mark returns the current moment, without a model that answers one turn only.
func (s *Session) mark() moment {
	m := s.moment
	m.opts = chatOptions(s)
	m.chat.Messages = slices.Clone(m.chat.Messages)
	return m
}

// recordChange records the moment before a change, for Undo.
func recordChange(s *Session, was moment, c Change) {
	was.change = &c
	s.changes, s.redo = append(slices.Clip(s.changes), was), nil
}

// restore goes back to a moment. It leaves what belongs to the file and not to the conversation, such as its name.
func (s *Session) restore(m moment) {
	s.version++
	c, was := s.chat, &m.chat
	c.Messages, c.Undone, c.Muted, c.Forgotten = was.Messages, was.Undone, was.Muted, was.Forgotten
	c.Choices.ToolsOff = was.Choices.ToolsOff
	c.Layout, c.Model, c.ModelKey, c.Project, c.Chain = was.Layout, was.Model, was.ModelKey, was.Project, was.Chain
	s.moment = m
	s.chat, s.change = c, nil
}
