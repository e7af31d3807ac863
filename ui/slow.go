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
	return "opening " + vault.Path(j.path).Base() + " …"
}

func (j command) doing() string {
	if name, ok := strings.CutPrefix(j.line, "/open "); ok {
		return "opening " + strings.TrimSpace(name) + " …"
	}
	return ""
}

// doingOf is what a job does that may take long, else "".
func doingOf(j job) string {
	if s, ok := j.(slowJob); ok {
		return s.doing()
	}
	return ""
}

// announceJob has the status say what a job does, if it is not done soon.
func announceJob(t *term.Tasks, j job) tea.Cmd {
	if doing := doingOf(j); doing != "" {
		return t.After(slowTime, slowMsg{doing})
	}
	return nil
}

// carryOut says what is still being done.
func (msg slowMsg) carryOut(m *Model) tea.Cmd {
	for _, all := range [][]waitingJob{m.jobs.begun, m.jobs.waiting} {
		for _, w := range all {
			if doingOf(w.job) == msg.doing {
				return tea.Batch(m.say(msg.doing), m.tasks.After(toastTime, msg))
			}
		}
	}
	return nil
}

// endSlow takes away what was said of a job that is done.
func endSlow(m *Model, id int) {
	for _, w := range m.jobs.begun {
		if doing := doingOf(w.job); w.id == id && doing != "" && m.toast.Text == doing {
			m.toast.Text = ""
		}
	}
}
