package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/page"
)

// pull is a model that the server fetches, in the background.
type pull struct {
	id     int
	name   string
	cancel context.CancelFunc      // nil if none is fetched
	far    *atomic.Pointer[string] // how far the server is; the task that fetches sets it
}

// pullMsg asks for a model, or ends what is asked for.
type pullMsg struct{ pull *desk.Pull }

// pulledMsg is the end of a pull.
type pulledMsg struct {
	id  int
	say page.Toast
}

// pullTick looks how far a pull is.
type pullTick struct{ id int }

// pullTime is how often that is looked at.
const pullTime = time.Second

// carryOut has the server fetch a model, in place of the one before.
func (msg pullMsg) carryOut(m *Model) tea.Cmd {
	p := &m.pull
	stopped := p.stop()
	if msg.pull.Name == "" {
		return m.say(stopped)
	}
	scope := m.tasks.Scope()
	id, name, far := p.id+1, msg.pull.Name, &atomic.Pointer[string]{}
	*p = pull{id: id, name: name, cancel: scope.Cancel, far: far}
	run := scope.Start(func(ctx context.Context) tea.Msg {
		for step, err := range msg.pull.Run(ctx) {
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return pulledMsg{id, page.Complain(err.Error())}
			}
			text := step.String()
			far.Store(&text)
		}
		return pulledMsg{id, page.Toast{Text: msg.pull.Pulled()}}
	})
	return tea.Batch(run, m.tasks.After(pullTime, pullTick{id}), m.say("pulling "+name))
}

// stop ends the pull that runs, and says so.
func (p *pull) stop() string {
	if p.cancel == nil {
		return "no model is being pulled"
	}
	p.cancel()
	p.cancel = nil
	return "stopped pulling " + p.name + ": what came is kept, and /model pull " + p.name + " goes on there"
}

// carryOut shows how far the server is.
func (msg pullTick) carryOut(m *Model) tea.Cmd {
	p := &m.pull
	if p.cancel == nil || msg.id != p.id {
		return nil
	}
	again := m.tasks.After(pullTime, msg)
	far := p.far.Load()
	if far == nil {
		return again
	}
	return tea.Batch(again, m.say("pulling "+p.name+": "+*far))
}

// carryOut says how a pull has ended.
func (msg pulledMsg) carryOut(m *Model) tea.Cmd {
	p := &m.pull
	if msg.id != p.id || p.cancel == nil {
		return nil
	}
	p.cancel()
	p.cancel = nil
	return m.carryOut(msg.say)
}
