package ui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/state"
)

// shellIntent is an intent that acts on the screen itself.
type shellIntent interface{ carryOut(*Model) tea.Cmd }

type (
	// atDesk does a job at the desk, for the chat on the screen. atChat does one for
	// the chat at a path, if that is open, else for the one on the screen.
	atDesk struct{ job job }
	atChat struct {
		path string
		job  job
	}

	// chooseCommand runs a command from a list; one that needs something to work
	// on is put into the prompt instead.
	chooseCommand struct{ name string }

	// editFile opens a note or a chat in the editor, at a line if that is above 0.
	editFile struct {
		path vault.Path
		line int
		from state.Source
	}

	// insertRef puts a text that stands for a reference into the prompt, in place
	// of what was typed to find it. refineRef goes on to the headings of a note.
	insertRef struct {
		ref  prompt.Ref
		text string
	}
	refineRef struct{ path vault.Path }

	// writeDraft puts an earlier prompt into the prompt.
	writeDraft struct{ draft composer.Draft }

	// sendAnyway sends the message that waits, as was agreed to.
	sendAnyway struct {
		queued bool   // it waits at the head of the queue, else in the prompt
		agreed string // see fit.key
	}

	// askPrice asks what a change of the context would cost.
	askPrice struct {
		act    inspector.Action
		change chains.Change
	}

	// stepVariant shows the end of the selected turn that stands so many places on.
	stepVariant int

	// move moves in the transcript.
	move func(*transcript.Transcript)

	// fromScreen is worked out from what the screen knows then.
	fromScreen func(*known) page.Request
)

// act is an intent that needs no more than its name.
type act int

const (
	doQuit  act = iota
	doLeave     // without a question
	doSuspend
	doStop // the reply that is being written
	doNewChat
	doRetry
	doCompose
	doCycleActive
	doToggleThinking
	doToggleRails
	doToggleMouse
	doToggleDark
	doFocusPrompt
	doFocusTranscript
	doFocusNext
	doFind
)

// busy is the answer where a running turn must end first.
var busy = page.Complain("a reply is still being written: esc stops it")

func (i move) carryOut(m *Model) tea.Cmd {
	i(m.k.transcript)
	return nil
}

func (i editFile) carryOut(m *Model) tea.Cmd {
	return tea.Batch(m.work(noteOpened{i}), openNote(m, i.path, i.line))
}

func (i refineRef) carryOut(m *Model) tea.Cmd {
	m.composer.Refine(string(i.path) + "#")
	return m.followTrigger()
}

func (i writeDraft) carryOut(m *Model) tea.Cmd {
	m.composer.Take() // what stood there is the newest of the earlier prompts
	return m.setDraft(i.draft)
}

func (i sendAnyway) carryOut(m *Model) tea.Cmd {
	m.k.estimate.agreed = i.agreed
	if i.queued {
		return m.sendQueued()
	}
	return m.submit()
}

func (i atDesk) carryOut(m *Model) tea.Cmd { return m.work(i.job) }
func (i atChat) carryOut(m *Model) tea.Cmd {
	return m.workIn(cmp.Or(m.k.at(i.path), m.k.conversation), i.job)
}

func (i askPrice) carryOut(m *Model) tea.Cmd    { return m.work(priceChange{i, m.composer.Draft()}) }
func (i fromScreen) carryOut(m *Model) tea.Cmd  { return m.carryOut(i(&m.k)) }
func (i stepVariant) carryOut(m *Model) tea.Cmd { return m.carryOut(otherVariant(&m.k, int(i))) }

func (a act) carryOut(m *Model) tea.Cmd {
	switch a {
	case doSuspend:
		m.stage.inline.hidden = m.stage.inline.on // what is drawn would stay above the shell
		return tea.Suspend
	case doQuit:
		return leave(m)
	case doLeave:
		return tea.Quit
	case doStop:
		if !m.k.turn.running() {
			return m.say("no reply is being written")
		}
		m.k.turn.cancel() // what came is kept
	case doNewChat:
		return newChat(m)
	case doRetry:
		return m.retry()
	case doCompose:
		return m.editor.OpenText(editDraft(m.composer.Draft()))
	case doCycleActive:
		return m.work(m.k.desk.nextActive())
	case doToggleThinking:
		m.k.transcript.ToggleAll()
	case doToggleRails:
		m.stage.wantRails = !m.stage.wantRails
		m.place()
		if m.stage.w < oneRail || m.stage.h < lowHeight {
			return m.say(fmt.Sprintf("rails need %d columns and %d rows", oneRail, lowHeight))
		}
	case doToggleMouse:
		if m.stage.mouse = !m.stage.mouse; m.stage.mouse {
			return m.say("the mouse selects, clicks and scrolls here; " + m.k.Keys.NameOf("mouse") + " leaves it to the terminal")
		}
		return m.say("the terminal has the mouse: select as usual; " + m.k.Keys.NameOf("mouse") + " takes it back")
	case doToggleDark:
		o := m.k.Theme.Options
		o.Dark, m.k.opt.Themes.Fixed = !o.Dark, true
		m.setTheme(o)
	case doFocusPrompt:
		m.composer.Focus()
	case doFocusTranscript:
		toTranscript(m)
	case doFocusNext:
		nextPane(m)
	case doFind:
		m.k.find.begin(m.focus())
		m.place()
	}
	return nil
}
