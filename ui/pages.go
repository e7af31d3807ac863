package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/setup"
)

// openPage returns the request that shows the page of an Open.
func openPage(m *Model, i page.Open) page.Request {
	k, o, service := &m.screenState, &m.opt, &m.opt.Service
	switch i.ID {
	case page.Models:
		return setup.OpenModels(k.Env, service.Models, k.answering)
	case page.Providers:
		return setup.OpenProviders(k.Env, service.Providers)
	case page.Settings:
		return setup.OpenSettings(k.Env, service.Settings, i.Arg)
	case page.Vaults:
		return setup.OpenVaults(k.Env, service.Vaults, i.Arg)
	case page.Themes:
		return setup.OpenThemes(k.Env, o.Themes.All, o.Themes.Fixed)
	case page.Help:
		return k.OpenHelp(m.focus(), o.Input.Vim)
	case page.Links:
		msg, _ := k.Transcript.Selected()
		return k.OpenLinks(i.Arg, &msg)
	case page.History:
		return page.Steps{page.Post{Msg: recallMsg{}}, k.OpenEarlier(m.Composer.Earlier(), i.Arg)}
	case page.Rewind:
		return openRewind(k)
	case page.Context:
		return chatview.OpenContext(k.Chat)
	case page.Retry:
		return askRetry(k)
	}
	return k.OpenList(i)
}

// openRewind lists the user's messages of this chat, to go back to one.
func openRewind(k *screenState) page.Request {
	texts := k.Prompts()
	switch {
	case k.Turn.Running():
		return chatview.Busy
	case len(texts) == 0:
		return page.Toast{Text: "there is no message to go back to yet"}
	}
	return k.OpenRewind(texts)
}

// askRetry asks before the last message is sent again, unless it cannot be.
func askRetry(k *screenState) page.Request {
	if k.Turn.Running() || len(k.Turn.Prompts) == 0 {
		return page.Act("retry") // it says why not
	}
	return page.Show{Page: page.Confirm(k.Env, "Send the last message again?",
		"the reply that is there is kept beside the new one", "send", page.Act("retry"))}
}

// setPage shows a page; nil closes the open one. It cancels the latest work of the page before.
func (m *Model) setPage(p page.Page) tea.Cmd {
	m.page = p
	m.Tasks.Latest(nil)
	if p != nil {
		m.Find.Leave()
	}
	m.place()
	return m.toPage(page.RefreshMsg{})
}

// toPage passes a message to the open page, if any.
func (m *Model) toPage(msg tea.Msg) tea.Cmd {
	if m.page == nil {
		return nil
	}
	i, _ := m.updatePage(msg)
	return m.carryOut(i)
}

// overPrompt reports whether a page is a list over the prompt, which keeps the cursor.
func overPrompt(p page.Page) bool {
	l, ok := p.(*page.List)
	return ok && l.Popup
}

// keysToPrompt reports whether a page leaves keys to the prompt for now.
func keysToPrompt(p page.Page) bool {
	g, ok := p.(interface{ Guarded() bool })
	return ok && g.Guarded()
}

// hasKey reports whether a key is an action of a list.
func hasKey(p page.Page, msg tea.KeyPressMsg) bool {
	l, ok := p.(*page.List)
	return ok && l.HasKey(msg)
}

// answering describes the model of the chat for the list of models.
func (k *screenState) answering() setup.AnsweringModel {
	a := setup.AnsweringModel{Model: k.Desk.Chat.Model}
	if e := k.Estimate.Env; e != nil && k.Desk.Chat.Turns > 0 {
		a.Prompt = e.Predicted.Prompt
	}
	return a
}

// addModels adds the models of a provider to the known names.
func (k *screenState) addModels(msg *setup.OfferMsg) {
	for _, name := range msg.Offer.Names() {
		if !slices.Contains(k.Models, name) {
			k.Models = append(k.Models, name)
		}
	}
}
