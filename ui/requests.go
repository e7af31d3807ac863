package ui

import (
	"cmp"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/vault"
	"ibid/vault/state"
)

// takePosted handles the posted messages, and those that their handlers post.
func (m *Model) takePosted() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.posted) > 0 {
		posted := m.posted
		m.posted = nil
		for _, msg := range posted {
			cmd, _ := m.take(msg)
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// carryOut carries out a request of a page or a key.
func (m *Model) carryOut(i page.Request) tea.Cmd {
	switch i := i.(type) {
	case page.Steps:
		cmds := make([]tea.Cmd, len(i))
		for n, step := range i {
			cmds[n] = m.carryOut(step)
		}
		return tea.Batch(cmds...)
	case page.Open:
		return m.attempt(pagePart, func() tea.Cmd { return m.carryOut(openPage(m, i)) })
	case page.Show:
		return m.setPage(i.Page)
	case page.Make:
		return m.attempt(pagePart, func() tea.Cmd { return m.setPage(i(m.Env)) })
	case page.Close:
		m.setPage(nil)
	case page.Dismiss:
		m.Composer.Dismiss()
		m.setPage(nil)
	case page.Toast:
		return m.toast.show(i)
	case page.Act:
		return m.attempt(actionPart, func() tea.Cmd { return m.actions[string(i)](m) })
	case page.Run:
		c, run := m.ChatAt(i.Chat), runLine(i.Line, i.Chat)
		run.Leaves = c == nil && i.Chat != "" // it is not open
		return cmp.Or(c, m.Chat).Work(run)
	case page.Do:
		if i.Latest {
			return m.Tasks.Latest(m.pageWork(i.Work))
		}
		return m.Tasks.Start(m.pageWork(i.Work))
	case page.Post:
		if i.In > 0 {
			return m.Tasks.After(i.In, i.Msg)
		}
		m.posted = append(m.posted, i.Msg)
	case page.Insert:
		return insert(m, i)
	case page.EditFile:
		var opened tea.Cmd
		if !i.Aside {
			tell := func(d *desk.Place) { d.Opened(vault.Path(i.Path), state.Source(i.Via)) }
			opened = m.Do(chatview.Tell(tell))
		}
		return tea.Batch(opened, m.editor.OpenFile(filepath.Join(m.Vault.Dir(), filepath.FromSlash(i.Path)), i.Line))
	case page.EditText:
		return m.editor.OpenText(i.EditText)
	case page.Copy:
		return tea.Batch(term.SetClipboard(m.Tasks, m.opt.Terminal.Copy, i.Text), m.Say("copied: "+i.What))
	}
	return nil
}

// insert puts a text into the prompt.
func insert(m *Model, i page.Insert) tea.Cmd {
	if i.More {
		m.Composer.Refine(i.Text)
		return m.followTrigger()
	}
	m.Composer.Accept(i.Text, i.Chip)
	if i.Chip == "" {
		m.Composer.Dismiss()
	}
	m.setPage(nil)
	return m.FollowEdit()
}

// outcome is a message that handles itself.
type outcome interface{ carryOut(*screenState) tea.Cmd }
