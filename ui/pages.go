package ui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/setup"
)

// openers returns the functions that open pages.
func openers(m *Model) map[page.ID]page.Opener {
	k, o := &m.screenState, &m.opt
	all := k.Openers()
	maps.Copy(all, map[page.ID]page.Opener{
		page.Models:    func(page.Open) page.Request { return setup.OpenModels(k.Env, o.Service.Models, k.answering) },
		page.Providers: func(page.Open) page.Request { return setup.OpenProviders(k.Env, o.Service.Providers) },
		page.Settings: func(i page.Open) page.Request {
			return setup.OpenSettings(k.Env, o.Service.Settings, i.Arg, i.At)
		},
		page.Vaults: func(i page.Open) page.Request { return setup.OpenVaults(k.Env, o.Service.Vaults, i.Arg) },
		page.Themes: func(page.Open) page.Request { return setup.OpenThemes(k.Env, o.Themes.All, o.Themes.Fixed) },
		page.Help:   func(page.Open) page.Request { return k.OpenHelp(m.focus(), o.Input.Vim) },
		page.Links: func(i page.Open) page.Request {
			msg, _ := k.Transcript.Selected()
			return k.OpenLinks(i.Arg, &msg)
		},
		page.History: func(i page.Open) page.Request {
			return page.Steps{page.Post{Msg: recallMsg{}}, k.OpenEarlier(m.Composer.Earlier(), i.Arg)}
		},
		page.Rewind:  func(page.Open) page.Request { return openRewind(k) },
		page.Context: func(page.Open) page.Request { return chatview.OpenContext(k.Chat) },
		page.Retry:   func(page.Open) page.Request { return askRetry(k) },
	})
	palette := all[page.Palette]
	all[page.Palette] = func(i page.Open) page.Request {
		if o.Service.Settings == nil {
			return palette(i)
		}
		return page.Steps{palette(i), setup.ListSettings(o.Service.Settings)}
	}
	return all
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

// hasSpinner reports whether rows of a page show a spinner.
func hasSpinner(p page.Page) bool {
	l, ok := p.(*page.List)
	return ok && l.Spins()
}

// answering describes the model of the chat for the list of models.
func (k *screenState) answering() setup.AnsweringModel {
	a := setup.AnsweringModel{Model: k.Desk.Chat.Model, Window: k.Desk.Window, Learned: k.Desk.DescribeLearned()}
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
