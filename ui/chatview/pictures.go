package chatview

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
	"ibid/vault"
)

// maxPictures limits the images that are kept of one chat.
const maxPictures = 64

// picturesMsg reports that images of the chat were read.
type picturesMsg struct{}

func (picturesMsg) takeIn(c *Chat) tea.Cmd {
	transcript.Illustrate(c.Transcript)
	return nil
}

// LoadImages reads the images that replies embed, and shows them when they are read.
func (c *Chat) LoadImages() tea.Cmd {
	var targets []string
	from := []vault.Path{vault.Path(c.Desk.Chat.Path)}
	for msg := range transcript.MessagesFrom(c.Transcript, 0) {
		for _, chip := range msg.Chips {
			if chip.Link != "" {
				from = append(from, vault.Path(chip.Link))
			}
		}
		if msg.Role == transcript.Assistant && strings.Contains(msg.Text, "![") {
			for l := range vault.ParseNote("", msg.Text).Links() {
				if l.Kind == vault.Embed && !l.LeavesVault() {
					targets = append(targets, strings.TrimSuffix(l.Target+"#"+l.Subpath, "#"))
				}
			}
		}
	}
	if c.NoImages || len(targets) == 0 {
		return nil
	}
	return c.Tasks.Start(func(ctx context.Context) tea.Msg {
		if !c.pictures.Read(ctx, targets[max(len(targets)-maxPictures, 0):], from) {
			return nil
		}
		return For{c, picturesMsg{}}
	})
}
