package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/term"
)

// pull is a model that the server fetches, in the background.
type pull struct {
	tasks  *term.Tasks
	toast  *toast
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

// begin has the server fetch a model, in place of the one before.
func (p *pull) begin(msg pullMsg) tea.Cmd {
	stopped := p.stop()
	if msg.pull.Name == "" {
		return p.toast.say(stopped)
	}
	scope := p.tasks.Scope()
	id, name, far := p.id+1, msg.pull.Name, &atomic.Pointer[string]{}
	p.id, p.name, p.cancel, p.far = id, name, scope.Cancel, far
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
	return tea.Batch(run, p.tasks.After(pullTime, pullTick{id}), p.toast.say("pulling "+name))
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

// look shows how far the server is.
func (p *pull) look(msg pullTick) tea.Cmd {
	if p.cancel == nil || msg.id != p.id {
		return nil
	}
	again := p.tasks.After(pullTime, msg)
	far := p.far.Load()
	if far == nil {
		return again
	}
	return tea.Batch(again, p.toast.say("pulling "+p.name+": "+*far))
}

// end says how a pull has ended.
func (p *pull) end(msg pulledMsg) tea.Cmd {
	if msg.id != p.id || p.cancel == nil {
		return nil
	}
	p.cancel()
	p.cancel = nil
	return p.toast.show(msg.say)
}
