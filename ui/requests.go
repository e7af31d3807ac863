package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/term"
)

// carryOut does what a page or a key asks for.
func (m *Model) carryOut(i page.Request) tea.Cmd {
	switch i := i.(type) {
	case page.Steps:
		cmds := make([]tea.Cmd, len(i))
		for n, step := range i {
			cmds[n] = m.carryOut(step)
		}
		return tea.Batch(cmds...)
	case page.Open:
		return open(m, i)
	case page.Show:
		return m.setPage(i.Page)
	case page.Run:
		return m.work(command{line: i.Line})
	case page.Close:
		m.setPage(nil)
	case page.Dismiss:
		m.composer.Dismiss()
		m.setPage(nil)
	case page.Toast:
		return m.toast.show(m.tasks, i)
	case page.Copy:
		return tea.Batch(term.SetClipboard(m.tasks, m.k.opt.Terminal.Copy, i.Text), m.say("copied: "+i.What))
	case page.Later:
		return m.tasks.After(i.In, i.Msg)
	case page.Do:
		if i.Latest {
			return m.tasks.Latest(i.Work)
		}
		return m.tasks.Start(i.Work)
	case page.Type:
		if l, ok := m.page.(*page.List); ok {
			return m.carryOut(l.TypeText(i.Text))
		}
	case page.Act:
		return m.carryOut(m.actions[string(i)])
	case setup.UseTheme:
		return setLook(m, i)
	case setup.OpenVault:
		return leaveForVault(m, i, false)
	case term.EditText:
		return m.editor.OpenText(i)
	case shellIntent:
		return i.carryOut(m)
	}
	return nil
}
