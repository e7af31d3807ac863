package ui

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/picture"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/md"
)

// mostPictures bounds the images that are kept of one chat.
const mostPictures = 64

// album are the images of the vault that the replies of a chat embed. They are read
// beside the screen, again when their file has changed, and looked up while it draws.
type album struct {
	v     *vault.Vault
	mu    sync.Mutex
	known map[string]kept // by target
}

// kept is an image, and the file that it was read from.
type kept struct {
	picture picture.Picture
	path    vault.Path
	size    int64
	at      time.Time
}

func newAlbum(v *vault.Vault) *album { return &album{v: v, known: map[string]kept{}} }

// find is the image that a target leads to, nil if none is known.
func (a *album) find(target string) *picture.Picture {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k, ok := a.known[target]; ok {
		return &k.picture
	}
	return nil
}

// picturesMsg says that images of a chat were read.
type picturesMsg struct{ of *conversation }

// show draws them.
func (msg picturesMsg) show() tea.Cmd {
	transcript.Illustrate(msg.of.transcript)
	return nil
}

// illustrate reads the images that the replies of a chat embed, and draws them once
// they are known.
func illustrate(m *Model, c *conversation) tea.Cmd {
	var targets []string
	if m.k.opt.Terminal.NoImages {
		return nil
	}
	for msg := range transcript.All(c.transcript) {
		if msg.Role == transcript.Assistant && strings.Contains(msg.Text, "![") {
			targets = append(targets, md.Embeds(msg.Text)...)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	return m.tasks.start(func(ctx context.Context) tea.Msg {
		if !c.pictures.read(ctx, targets) {
			return nil
		}
		return picturesMsg{c}
	})
}

// read reads images, and reports whether one was not known as it is.
func (a *album) read(ctx context.Context, targets []string) (changed bool) {
	for _, target := range targets[:min(len(targets), mostPictures)] {
		if ctx.Err() != nil {
			return changed
		}
		found := a.v.Resolve(target, "")
		if found.Path == "" || found.Path.IsNote() {
			continue
		}
		info, err := a.v.Stat(found.Path)
		if err == nil && a.load(target, found.Path, info) {
			changed = true
		}
	}
	return changed
}

// load reads one image, if it is not known as its file is now.
func (a *album) load(target string, path vault.Path, info fs.FileInfo) bool {
	a.mu.Lock()
	was, ok := a.known[target]
	a.mu.Unlock()
	now := kept{path: path, size: info.Size(), at: info.ModTime()}
	if ok && was.path == now.path && was.size == now.size && was.at.Equal(now.at) {
		return false
	}
	now.picture = picture.Picture{Bytes: int(info.Size())}
	if info.Size() <= picture.MaxBytes {
		data, err := a.v.ReadFile(path, picture.MaxBytes)
		if err != nil {
			return false // it may not be read, or is gone
		}
		now.picture, _ = picture.Decode(data) // what cannot be decoded is named
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= mostPictures {
		clear(a.known)
	}
	a.known[target] = now
	return true
}
