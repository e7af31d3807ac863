package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/page"
	"ibid/ui/setup"
)

// chooseCommand runs a command that was chosen from a list, or writes it into the prompt if it requires
// an argument.
func chooseCommand(m *Model, name string) tea.Cmd {
	args := commandNamed(m.Commands, name).Args
	_, _, typed := m.Composer.Trigger() // false: chosen from the palette
	switch {
	case args == "" || strings.HasPrefix(args, "["):
		if typed {
			m.Composer.Accept("", "")
		}
		return m.runLine("/" + name)
	case typed:
		m.Composer.Accept("/"+name+" ", "")
	default:
		m.Composer.Take() // the text that was there becomes the newest earlier prompt
		m.Composer.SetValue("/" + name + " ")
	}
	m.Composer.Focus()
	return nil
}

// runLine runs a slash command. The screen handles those that it shows as pages or in the transcript;
// all others go to the desk.
func (m *Model) runLine(line string, spans ...chains.Span) tea.Cmd {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	arg = strings.TrimSpace(arg)
	if c, err := desk.Find(name); err == nil && !m.Desk.HasPrompt(name) {
		name = c.Name
	}
	if b := m.Keys.Command(name); b != nil && arg == "" {
		return m.carryOut(page.Act(b.Does()))
	}
	switch name {
	case "chats":
		return m.carryOut(page.Open{ID: page.Chats, Arg: arg})
	case "search":
		return m.carryOut(page.Open{ID: page.Notes, Arg: arg})
	case "related":
		return m.Do(findRelated(arg))
	case "config":
		if key, value, sets := strings.Cut(arg, " "); sets {
			return m.carryOut(setup.SetSetting(m.opt.Service.Settings, key, strings.TrimSpace(value)))
		}
		return m.carryOut(page.Open{ID: page.Settings, Arg: arg})
	case "vault":
		return m.carryOut(page.Open{ID: page.Vaults, Arg: arg})
	case "theme":
		return useTheme(m, arg, true)
	case "find":
		m.Find.OpenWith(arg)
		m.place()
		return nil
	case "copy":
		return m.carryOut(m.Copy(strings.ToLower(arg)))
	case "retry":
		return m.Retry("", nil)
	case "compare":
		if arg != "" {
			return m.Retry(arg, compareReplies)
		}
		return m.Do(compareReplies)
	case "add":
		msg, _ := m.Transcript.Selected()
		if link, ok := browse.SourceAt(&msg, arg); ok {
			return m.Work(runLine(browse.AddLink(m.Vault, link), ""))
		}
	}
	if c := commandNamed(m.Commands, name); c != nil && c.Screen {
		return m.Complain("/" + name + " takes nothing behind it")
	}
	return m.Work(runLine(line, "", spans...))
}

// usedAction moves an action of the palette to the front of the recent ones and saves that.
func (k *screenState) usedAction(done string) tea.Cmd {
	rest := slices.DeleteFunc(slices.Clone(k.Recent), func(id string) bool { return id == done })
	k.Recent = append([]string{done}, rest[:min(len(rest), browse.MaxRecent-1)]...)
	keep := k.opt.Input.KeepRecent
	if keep == nil {
		return nil
	}
	return k.Tasks.Start(func(context.Context) tea.Msg {
		keep(done)
		return nil
	})
}
