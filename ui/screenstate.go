package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/scrollback"
	"ibid/vault"
)

// screenState holds the values that jobs and tasks brought back. Pages and drawing read it; only the
// handlers of messages change it.
type screenState struct {
	*browse.Catalog
	opt     Options
	spent   float64  // dollars since the program began, as far as prices are known
	servers []string // model servers on this machine
	related relatedNotes

	*openChats
}

// relatedNotes holds the related notes, and the chat, note and turn that they were found for.
type relatedNotes struct {
	chat  *chatview.Chat
	note  vault.Path
	turns int
	notes []chains.RelatedNote
}

// firstRun reports whether nothing was configured and there is no chat yet.
func (k *screenState) firstRun() bool { return k.opt.FirstRun.New && len(k.Chats.All) == 0 }

// setDraft puts a draft into the prompt.
func (k *screenState) setDraft(d composer.Draft) tea.Cmd {
	k.Composer.SetDraft(d)
	k.Composer.Focus()
	return k.FollowEdit()
}

// printed returns the data for printing to the scrollback, without the alternate screen.
func (k *screenState) printed(w, h int, tooSmall bool) *scrollback.View {
	chat := &k.Desk.Chat
	return &scrollback.View{
		Theme: k.Theme, W: w, H: h, TooSmall: tooSmall, Transcript: k.Transcript, Turns: len(k.Turn.Prompts),
		Running: k.Turn.Running(),
		Title:   chat.Title, Path: chat.Path, Model: chat.Model, Vault: k.opt.FirstRun.Vault, Notices: k.opt.Notices,
	}
}
