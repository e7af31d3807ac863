package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
	"ibid/vault"
)

// slowTime is how long a job may take before the status says what is done.
const slowTime = 150 * time.Millisecond

// slowJob is a job that may take long. doing is what it does, in words, "" for a moment's
// work.
type slowJob interface{ doing() string }

// slowMsg says that a job was asked for some time ago.
type slowMsg struct{ doing string }

func (j openChat) doing() string {
	return "opening " + vault.Path(j.Path).Base() + " …"
}

func (j command) doing() string {
	if name, ok := strings.CutPrefix(j.line, "/open "); ok {
		return "opening " + strings.TrimSpace(name) + " …"
	}
	return ""
}

// announceJob has the status say what a job does, if it is not done soon.
func announceJob(t *term.Tasks, doing string) tea.Cmd {
	if doing != "" {
		return t.After(slowTime, slowMsg{doing})
	}
	return nil
}

// carryOut says what is still being done.
func (msg slowMsg) carryOut(m *Model) tea.Cmd {
	for _, all := range [][]waitingJob{m.jobs.begun, m.jobs.waiting} {
		for _, w := range all {
			if w.Doing == msg.doing {
				return tea.Batch(m.say(msg.doing), m.tasks.After(toastTime, msg))
			}
		}
	}
	return nil
}

// endSlow takes away what was said of a job that is done.
func endSlow(m *Model, id int) {
	for _, w := range m.jobs.begun {
		if w.id == id && w.Doing != "" && m.toast.Text == w.Doing {
			m.toast.Text = ""
		}
	}
}
