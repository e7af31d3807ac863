package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/scrollback"
	"ibid/vault"
)

// screenState is what the screen knows: values that jobs and tasks brought back. Pages
// and drawing read it; only the handlers of messages change it.
type screenState struct {
	*browse.Catalog
	opt     Options
	painter *inspector.Painter // of the ribbon and the rail
	spent   float64            // dollars since the program began, as far as they are known
	servers []string           // for models, that answer on this machine
	related relatedRow

	*openChats
}

// relatedRow is the notes that have to do with what is at hand, and what that was.
type relatedRow struct {
	chat  *chatview.Chat
	note  vault.Path
	turns int
	notes []chains.RelatedNote
}

// request asks the screen for something; say is a line of it.
func (k *screenState) request(r page.Request) tea.Cmd { return k.Host.Ask(k.Chat, r) }

func (k *screenState) say(text string) tea.Cmd { return k.request(page.Toast{Text: text}) }

func (k *screenState) complain(text string) tea.Cmd { return k.request(page.Complain(text)) }

// refresh has the page that is open show what is known now.
func (k *screenState) refresh() tea.Cmd { return k.request(page.Post{Msg: page.RefreshMsg{}}) }

// firstRun reports whether nothing was configured and nothing was ever said here.
func (k *screenState) firstRun() bool { return k.opt.FirstRun.New && len(k.Chats.All) == 0 }

// setDraft puts a draft into the prompt.
func (k *screenState) setDraft(d composer.Draft) tea.Cmd {
	k.Composer.SetDraft(d)
	k.Composer.Focus()
	return k.FollowEdit()
}

// printed is what there is to print without the alternate screen.
func (k *screenState) printed(w, h int, tooSmall bool) *scrollback.View {
	chat := &k.Desk.Chat
	return &scrollback.View{
		Theme: k.Theme, W: w, H: h, TooSmall: tooSmall, Transcript: k.Transcript, Turns: len(k.Turn.Prompts),
		Running: k.Turn.Running(),
		Title:   chat.Title, Path: chat.Path, Model: chat.Model, Vault: k.opt.FirstRun.Vault, Notices: k.opt.Notices,
	}
}
