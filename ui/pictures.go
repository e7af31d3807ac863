package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/md"
)

// mostPictures bounds the images that are kept of one chat.
const mostPictures = 64

// picturesMsg says that images of a chat were read.
type picturesMsg struct{ of *chatview.Chat }

// carryOut draws them.
func (msg picturesMsg) carryOut(*Model) tea.Cmd {
	transcript.Illustrate(msg.of.Transcript)
	return nil
}

// illustrate reads the images that the replies of a chat embed and those that went with
// its prompts, and shows them once they are known.
func illustrate(m *Model, c *chatview.Chat) tea.Cmd {
	var targets []string
	from := []vault.Path{vault.Path(c.Desk.Chat.Path)}
	for msg := range transcript.MessagesFrom(c.Transcript, 0) {
		for _, chip := range msg.Chips {
			if chip.Image != "" {
				targets = append(targets, chip.Image)
			} else if chip.Link != "" {
				from = append(from, vault.Path(chip.Link))
			}
		}
		if msg.Role == transcript.Assistant && strings.Contains(msg.Text, "![") {
			targets = append(targets, md.Embeds(msg.Text)...)
		}
	}
	named := m.k.opt.Terminal.NoImages
	if len(targets) == 0 {
		return nil
	}
	return m.tasks.Start(func(ctx context.Context) tea.Msg {
		if !c.Pictures.Read(ctx, targets[max(len(targets)-mostPictures, 0):], from, named) {
			return nil
		}
		return picturesMsg{c}
	})
}

// drawImages says whether images are drawn from now on, or only named.
func drawImages(m *Model, on bool) tea.Cmd {
	m.k.opt.Terminal.NoImages = !on
	var cmds []tea.Cmd
	for _, c := range append(m.k.others, m.k.Chat) {
		cmds = append(cmds, illustrate(m, c))
	}
	return tea.Batch(cmds...)
}
