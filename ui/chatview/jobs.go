package chatview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
)

// noJob changes nothing: its result is the current state of the chat.
func noJob(context.Context, *desk.Place) (tea.Msg, error) { return nil, nil }

// Tell returns the job that tells the desk something and has no answer.
func Tell(tells func(d *desk.Place)) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		tells(d)
		return nil, nil
	}
}

// attach returns the job that adds references to the next turn, and shows say unless it is "".
func attach(say string, refs ...prompt.Ref) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		d.Attach(refs...)
		return messageOf(say), nil
	}
}

// reattach restores the attachments of an aborted turn.
func reattach(_ context.Context, d *desk.Place) (tea.Msg, error) {
	if again := d.Carry(); len(again) > 0 {
		return JobMessage(fmt.Sprintf("the reply broke off: %s on the shelf again for the next turn",
			theme.Plural(len(again), "attachment"))), nil
	}
	return nil, nil
}

// setActive returns the job that sets how the active note is treated, and says so unless it is quiet.
func setActive(how string, quiet bool) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		if err := d.SetActive(how); err != nil || quiet {
			return nil, err
		}
		if how == desk.Off || how == desk.Follow {
			return JobMessage("active note: " + how), nil
		}
		return JobMessage("active note: " + vault.Path(how).Base() + ", whatever is open"), nil
	}
}

// messageOf returns the message of a text, nil for "".
func messageOf(text string) tea.Msg {
	if text == "" {
		return nil
	}
	return JobMessage(text)
}

// takeIn shows the answer of a command: one line in the status, more in the transcript.
func (s JobMessage) takeIn(c *Chat) tea.Cmd {
	text := string(s)
	c.Estimate.Prices = nil // the job may have changed them
	if !strings.Contains(text, "\n") {
		return tea.Batch(c.Say(text), c.Forecast())
	}
	c.Turn.Notice(text)
	c.Transcript.Bottom()
	return c.Forecast()
}

// RemoveChip returns the request that removes a chip from the next turn.
func (c *Chat) RemoveChip(id string) page.Request {
	ref := prompt.ParseRef(id)
	switch {
	case id == ActiveID:
		return page.Post{Msg: setActive(desk.Off, false)}
	case id == projectID:
		return page.Run{Line: "/project off"}
	case ref.Kind == prompt.Note && c.Desk.Pinned(vault.Path(ref.ID)):
		return page.Run{Line: `/unpin "` + ref.ID + `"`}
	case slices.Contains(c.Desk.Attached, ref):
		return page.Post{Msg: Tell(func(d *desk.Place) { d.Drop(ref) })}
	}
	return page.Complain("it stands in the prompt: delete it there")
}

// TakeState stores the state in which a job left the chat at the desk.
func (c *Chat) TakeState(s State) tea.Cmd {
	was := c.Desk
	c.Desk = s
	var cmds []tea.Cmd
	if s.Chat.Unsaved && !was.Chat.Unsaved {
		cmds = append(cmds, c.after(savedTime, savedMsg{}))
	}
	same := was.samePrice(&s)
	if !same {
		c.Estimate.Prices = nil
	}
	if !c.Shown() {
		return tea.Batch(cmds...)
	}
	if s.Again && !was.Again {
		cmds = append(cmds, c.after(lookTimes[0], lookMsg{}))
	}
	if !same {
		cmds = append(cmds, c.Forecast())
	}
	c.RefreshShelf()
	return tea.Batch(cmds...)
}

// savedTime is the time between two checks whether a chat was saved in the background.
const savedTime = 2 * time.Second

// savedMsg asks to check again whether a chat was saved.
type savedMsg struct{}

// takeIn checks until the chat is saved.
func (msg savedMsg) takeIn(c *Chat) tea.Cmd {
	if c.Closed || !c.Desk.Chat.Unsaved {
		return nil
	}
	return tea.Batch(c.Do(noJob), c.after(savedTime, msg))
}

// lookTimes are the delays before further looks at a workspace file that was being written: an editor
// finishes soon, or later.
var lookTimes = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

// lookMsg asks for the look with this index in lookTimes.
type lookMsg struct{ after int }

func (msg lookMsg) takeIn(c *Chat) tea.Cmd {
	if !c.Desk.Again || !c.Shown() {
		return nil
	}
	look, n := c.LookAround(), msg.after+1
	if n == len(lookTimes) {
		return look
	}
	return tea.Batch(look, c.after(lookTimes[n], lookMsg{n}))
}

// Close returns the job that closes the current chat, so that other processes may write it. keep writes
// the unsent text before another process may read it; nil writes nothing.
func Close(keep func() error) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		if keep != nil {
			if err := keep(); err != nil {
				return nil, err
			}
		}
		err := d.Chat.Close()
		if errors.Is(err, chains.ErrBusy) {
			return nil, err
		}
		return ClosedMsg{}, err
	}
}

// ClosedMsg reports that a chat was closed.
type ClosedMsg struct{}
