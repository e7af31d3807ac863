package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/setup"
	"ibid/vault"
)

// open opens a page, or says why it cannot be.
func open(m *Model, o page.Open) tea.Cmd {
	k := &m.k
	src := plainList(k, o.ID)
	switch o.ID {
	case page.Notes:
		return tea.Batch(m.setPage(page.NewList(k.Env, &noteSearch{noteList: noteList{k: k}}, o.Arg)), m.tasks.Start(lookAtIndex(k.opt.Desk)))
	case page.Chats:
		if m.k.opt.Store == nil {
			return m.complain("chats are not kept in this session (--no-save)")
		}
		return tea.Batch(m.setPage(page.NewList(k.Env, &chatList{k: k}, o.Arg)), m.listChats(""), m.tasks.After(searchTime, searchMsg{o.Arg}))
	case page.Rename:
		r := newRename(k, vault.Path(o.Arg))
		return m.setPage(page.NewList(k.Env, r, r.title))
	case page.Models, page.Providers, page.Settings, page.Vaults, page.Themes:
		return m.carryOut(setupPage(k, o))
	case page.Links:
		if o.Arg != "" { // that one alone: there is no list to go back to
			links := []picker.Item{{ID: o.Arg, Label: o.Arg}}
			return tea.Batch(m.setPage(newLinksPage(k, links)), m.tasks.Start(readLink(k.opt.Vault, o.Arg)))
		}
		msg, _ := m.k.Transcript.Selected()
		links := linksOf(k.opt.Vault, &msg)
		if len(links) == 0 {
			return m.say("this message links to no note, and none went with it")
		}
		return m.setPage(newLinksPage(k, links))
	case page.History:
		l := &earlierList{k: k, prompts: m.composer.Earlier()}
		l.take()
		return tea.Batch(readEarlier(m), m.setPage(page.NewList(k.Env, l, o.Arg)))
	case page.Rewind:
		switch {
		case m.k.Turn.Running():
			return m.carryOut(chatview.Busy)
		case len(m.k.Turn.Prompts) == 0:
			return m.say("there is no message to go back to yet")
		}
		src = newRewindList(&m.k.Turn)
	case page.Context:
		return tea.Batch(m.setPage(newContextPage(k)), m.work(listRequests{}), m.k.ForecastNow())
	case page.Retry:
		if m.k.Turn.Running() || len(m.k.Turn.Prompts) == 0 {
			return m.k.Retry() // which says why not
		}
		return m.setPage(page.Confirm(k.Env, "Send the last message again?", "the reply that is there is kept beside the new one", "send", page.Act("retry")))
	case page.Palette:
		return openPalette(m)
	case page.Help:
		return m.setPage(&helpPage{k: k, where: m.focus()})
	}
	return m.setPage(page.NewList(k.Env, src, o.Arg))
}

// plainList is what a list needs that knows all of its rows at once, nil for other pages.
func plainList(k *known, kind page.ID) page.Source {
	switch kind {
	case page.Mentions:
		return &noteList{k: k}
	case page.Commands:
		return &commandList{promptList{k: k}}
	case page.Prompts:
		return &promptList{k: k}
	}
	return nil
}

// setPage shows a page, or none if it is nil.
func (m *Model) setPage(p page.Page) tea.Cmd {
	m.page = p
	m.tasks.Latest(nil)
	if p != nil {
		m.k.Find.Leave()
	}
	m.place()
	return m.toPage(page.RefreshMsg{})
}

// toPage gives a message to the page that is open, if there is one.
func (m *Model) toPage(msg tea.Msg) tea.Cmd {
	if m.page == nil {
		return nil
	}
	i, _ := m.page.Update(msg)
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

// spins reports whether rows of a page show that something runs.
func spins(p page.Page) bool {
	l, ok := p.(*page.List)
	return ok && l.Spins()
}

// answering is what is known of the model that answers in the chat.
func (k *known) answering() setup.Answering {
	a := setup.Answering{Model: k.Desk.Chat.Model, Window: k.Desk.Window, Learned: k.Desk.LearnedSay()}
	if e := k.Estimate.Env; e != nil && k.Desk.Chat.Turns > 0 {
		a.Prompt = e.Predicted.Prompt
	}
	return a
}

// addModels notes the models that a provider has named.
func (k *known) addModels(msg *setup.OfferMsg) {
	for _, name := range msg.Offer.Names() {
		if !slices.Contains(k.models, name) {
			k.models = append(k.models, name)
		}
	}
}

// setupPage opens a page about what the program is set up with.
func setupPage(k *known, o page.Open) page.Request {
	switch o.ID {
	case page.Models:
		return setup.OpenModels(k.Env, k.opt.Service.Models, k.answering)
	case page.Providers:
		return setup.OpenProviders(k.Env, k.opt.Service.Providers)
	case page.Settings:
		return setup.OpenSettings(k.Env, k.opt.Service.Settings, o.Arg, "")
	case page.Vaults:
		return setup.OpenVaults(k.Env, k.opt.Service.Vaults, o.Arg)
	case page.Themes:
		return setup.OpenThemes(k.Env, k.opt.Themes.All, k.opt.Themes.Fixed)
	}
	return nil
}
