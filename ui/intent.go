package ui

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/state"
)

// intent is what a user wants, as a value. Keys, pages and commands answer with
// one, and Model.carryOut is the one place that acts on it. nil wants nothing.
type intent interface{ intent() }

type (
	// steps are carried out in order.
	steps []intent

	// atDesk does a job at the desk, for the chat on the screen. atChat does one for
	// the chat at a path, if that is open, else for the one on the screen.
	atDesk struct{ job job }
	atChat struct {
		path string
		job  job
	}

	// openPage opens a page over the conversation.
	openPage struct {
		kind pageKind
		arg  string // what it is about: a query, a path
	}

	// chooseCommand runs a command from a list; one that needs something to work
	// on is put into the prompt instead.
	chooseCommand struct{ name string }

	// say shows a line for a while.
	say struct {
		text string
		bad  bool
	}

	// copyText puts text on the clipboard; what says so.
	copyText struct{ text, what string }

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

	// later brings a message back in a while.
	later struct {
		in  time.Duration
		msg tea.Msg
	}

	// askPrice asks what a change of the context would cost.
	askPrice struct {
		act    inspector.Action
		change chains.Change
	}

	// compute makes a message in the background, since that takes long.
	compute struct{ work work }

	// latest is compute where only the last answer counts: what was begun before
	// is ended. nil only ends.
	latest struct{ work work }

	// stepVariant shows the end of the selected turn that stands so many places on.
	stepVariant int

	// move moves in the transcript.
	move func(*transcript.Transcript)
)

// act is an intent that needs no more than its name.
type act int

const (
	doQuit  act = iota
	doLeave     // without a question
	doSuspend
	doStop // the reply that is being written
	doClosePage
	doDismiss // close the list over the prompt, and leave the prompt alone
	doNewChat
	doNextChat
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
	doCopyMessage
	doCopyLast
	doCopyCode
	doEditMessage
)

func (steps) intent()         {}
func (atDesk) intent()        {}
func (atChat) intent()        {}
func (openPage) intent()      {}
func (chooseCommand) intent() {}
func (say) intent()           {}
func (copyText) intent()      {}
func (editFile) intent()      {}
func (insertRef) intent()     {}
func (refineRef) intent()     {}
func (writeDraft) intent()    {}
func (sendAnyway) intent()    {}
func (later) intent()         {}
func (askPrice) intent()      {}
func (compute) intent()       {}
func (latest) intent()        {}
func (act) intent()           {}
func (stepVariant) intent()   {}
func (move) intent()          {}

// busy is the answer where a running turn must end first.
var busy = say{"a reply is still being written: esc stops it", true}

// carryOut does what a user wants.
func (m *Model) carryOut(i intent) tea.Cmd {
	switch i := i.(type) {
	case steps:
		cmds := make([]tea.Cmd, len(i))
		for n, step := range i {
			cmds[n] = m.carryOut(step)
		}
		return tea.Batch(cmds...)
	case act:
		return m.act(i)
	case move:
		i(m.k.transcript)
	case atDesk:
		return m.work(i.job)
	case atChat:
		return m.workIn(cmp.Or(m.k.at(i.path), m.k.conversation), i.job)
	case openPage:
		return m.openPage(i)
	case chooseCommand:
		return m.chooseCommand(i.name)
	case say:
		return m.toast.show(m.tasks, i)
	case copyText:
		return tea.Batch(tea.SetClipboard(i.text), copyHere(m.tasks, m.k.opt.Terminal.Copy, i.text), m.say("copied: "+i.what))
	case editFile:
		return tea.Batch(m.work(noteOpened{i}), m.editor.openFile(i.path, i.line))
	case insertRef:
		return m.insert(i)
	case refineRef:
		m.composer.Refine(string(i.path) + "#")
		return m.followTrigger()
	case writeDraft:
		m.composer.Take() // what stood there is the newest of the earlier prompts
		return m.setDraft(i.draft)
	case sendAnyway:
		m.k.estimate.agreed = i.agreed
		if i.queued {
			return m.sendQueued()
		}
		return m.submit()
	case later:
		return m.tasks.after(i.in, i.msg)
	case stepVariant:
		return m.carryOut(otherVariant(&m.k, int(i)))
	case answerAsked:
		m.k.turn.answer(i.Decision)
	case askPrice:
		return m.work(priceChange{i, m.composer.Draft()})
	case compute:
		return m.tasks.start(i.work)
	case latest:
		return m.tasks.latest(i.work)
	case showChat:
		return show(m, i.chat)
	default:
		return pageIntent(m, i)
	}
	return nil
}

// pageIntent carries out what only one page or one part of the screen wants.
func pageIntent(m *Model, i intent) tea.Cmd {
	switch i := i.(type) {
	case showInObsidian:
		return m.tasks.start(openInObsidian(m.k.opt.Vault, m.k.opt.Opener, i.link))
	case inChat:
		i.chat.naming.stop() // its title is there
		cmd := m.workIn(i.chat, i.job)
		return tea.Batch(cmd, closeIdle(m)) // it may have been kept for that alone
	case usePrompt:
		return choosePrompt(m, i)
	case editText:
		return m.editor.openText(i)
	case stepPart:
		return m.carryOut(i.carryOut(m.k.choice.parts))
	case foldPart:
		return m.carryOut(i.carryOut(m.k.choice.parts, m.k.transcript))
	case showWrite:
		return m.setPage(writePage(&m.k, i.entry))
	case overwrite:
		return m.setPage(unasked(i.question(&m.k)))
	case insertArgument:
		return takeArgument(m, i)
	case undoLast:
		return m.carryOut(undoHere(&m.k))
	case runTyped:
		return m.submit()
	case usedAction:
		return m.useAction(i)
	case useTheme:
		return m.useTheme(i)
	case takeSuggestion:
		return i.take(m)
	case pageRail:
		i.page(m)
	case stepRail:
		i.step(m)
	case pressRow:
		return i.press(m)
	case chooseStarter:
		return i.take(m)
	case writeReply:
		return m.carryOut(askWhere(&m.k, i.appends))
	case setSetting:
		return i.change(m)
	case openSetting:
		return openValue(m, i.Setting)
	case backToSettings:
		return openSettings(m, "", i.key)
	case openVault, leaveFor, keepVault, confirmVault, typeQuery:
		return vaultIntent(m, i)
	case openKey:
		return m.setPage(newKeyPage(&m.k, i.what))
	case openRemoval:
		return m.setPage(removal(&m.k, i.name))
	case openWhere:
		return m.setPage(wherePage(&m.k, i))
	}
	return nil
}

// act does what needs no more than its name.
func (m *Model) act(a act) tea.Cmd {
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
	case doClosePage:
		m.setPage(nil)
	case doDismiss:
		m.composer.Dismiss()
		m.setPage(nil)
	case doNewChat:
		return newChat(m)
	case doNextChat:
		return m.carryOut(nextChat(&m.k))
	case doRetry:
		return m.retry()
	case doCompose:
		return m.editor.openText(editDraft(m.composer.Draft()))
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
			return m.say("the mouse selects, clicks and scrolls here; " + m.k.keys.name("mouse") + " leaves it to the terminal")
		}
		return m.say("the terminal has the mouse: select as usual; " + m.k.keys.name("mouse") + " takes it back")
	case doToggleDark:
		o := m.k.theme.Options
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
	default:
		return m.carryOut(ofMessage(&m.k, a))
	}
	return nil
}

// ofMessage is what an act wants that is about a message.
func ofMessage(k *known, a act) intent {
	switch a {
	case doCopyMessage:
		return copyMessage(k)
	case doCopyLast:
		return copyLast(&k.turn)
	case doCopyCode:
		return copyCode(k)
	case doEditMessage:
		return editSelected(&k.turn)
	}
	return nil
}
