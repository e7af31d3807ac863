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

// pull downloads a model to the server, in the background.
type pull struct {
	tasks  *term.Tasks
	toast  *toast
	id     int
	name   string
	cancel context.CancelFunc      // nil if none is downloaded
	far    *atomic.Pointer[string] // progress of the server, set by the task that downloads
}

// pullMsg starts a download, or without a name stops the running one.
type pullMsg struct{ pull *desk.Pull }

// pulledMsg is the end of a download.
type pulledMsg struct {
	id  int
	say page.Toast
}

// pullTick shows the progress of a download.
type pullTick struct{ id int }

// pullTime is the time between updates of the progress.
const pullTime = time.Second

// begin starts the download of a model and stops the one before.
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

// stop ends the running download and returns a line about it.
func (p *pull) stop() string {
	if p.cancel == nil {
		return "no model is being pulled"
	}
	p.cancel()
	p.cancel = nil
	return "stopped pulling " + p.name + ": what came is kept, and /model pull " + p.name + " goes on there"
}

// showProgress shows the progress of the server.
func (p *pull) showProgress(msg pullTick) tea.Cmd {
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

// showResult shows how a download has ended.
func (p *pull) showResult(msg pulledMsg) tea.Cmd {
	if msg.id != p.id || p.cancel == nil {
		return nil
	}
	p.cancel()
	p.cancel = nil
	return p.toast.show(msg.say)
}
