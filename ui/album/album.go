package album

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"net/url"
	"path"
	"sync"
	"time"

	"ibid/context/prompt"
	"ibid/ui/picture"
	"ibid/vault"
)

// Album has the images of the vault that a chat embeds or that were sent with it. They are read in the
// background, and again when their file has changed; drawing the chat looks them up.
type Album struct {
	v     *vault.Vault
	mu    sync.Mutex
	known map[string]entry // by target
}

// entry is an image with the file that it was read from.
type entry struct {
	picture picture.Picture
	path    vault.Path // "" if there is no file
	size    int64
	at      time.Time
}

// New returns an empty album.
func New(v *vault.Vault) *Album { return &Album{v: v, known: map[string]entry{}} }

// Find returns the image that a target leads to, nil if it was not read.
func (a *Album) Find(target string) *picture.Picture {
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.known[target]
	if !ok {
		return nil
	}
	return &k.picture
}

// Read reads images, and reports whether the drawing changes. It resolves targets like links in the notes from,
// and removes all other images from the album.
func (a *Album) Read(ctx context.Context, targets []string, from []vault.Path) (changed bool) {
	a.mu.Lock()
	wanted := map[string]entry{}
	for _, target := range targets {
		if k, ok := a.known[target]; ok {
			wanted[target] = k
		}
	}
	a.known = wanted
	a.mu.Unlock()
	for _, target := range targets {
		if ctx.Err() != nil {
			return changed
		}
		if now, ok := a.load(target, from); ok {
			a.mu.Lock()
			a.known[target] = now
			a.mu.Unlock()
			changed = true
		}
	}
	return changed
}

// resolve returns the file that a target leads to, "" if there is none: like a link in the first of the
// notes from which it leads to a file, or else the file with that base name.
func (a *Album) resolve(target string, from []vault.Path) vault.Path {
	spelled := []string{target}
	if plain, err := url.PathUnescape(target); err == nil && plain != target {
		spelled = append(spelled, plain)
	}
	for _, target := range append(spelled, path.Base(spelled[len(spelled)-1])) {
		for _, note := range from {
			if f := a.v.Resolve(target, note); f.State == vault.OK && f.Path != note {
				return f.Path
			}
		}
	}
	return ""
}

// load reads an image if it was not read or its file has changed.
func (a *Album) load(target string, from []vault.Path) (now entry, changed bool) {
	now = entry{path: a.resolve(target, from)}
	if now.path.IsNote() || !picture.IsImage(target) && !picture.IsImage(string(now.path)) {
		return now, false
	}
	var info fs.FileInfo
	err := fs.ErrNotExist
	if now.path != "" {
		if info, err = a.v.Stat(now.path); err == nil {
			now.size, now.at = info.Size(), info.ModTime()
		}
	}
	a.mu.Lock()
	was, ok := a.known[target]
	a.mu.Unlock()
	if ok && was.path == now.path && was.size == now.size && was.at.Equal(now.at) {
		return now, false
	}
	switch {
	case err != nil:
		now.picture.Fault = "no such file"
	case now.size > picture.MaxBytes:
		now.picture.Fault = picture.TooLarge
	default:
		now.picture = a.decode(now.path)
	}
	return now, true
}

// decode reads the image in a file. An image that cannot be shown has a Fault.
func (a *Album) decode(p vault.Path) picture.Picture {
	data, err := a.v.Local().ReadFile(p, picture.MaxBytes)
	if err != nil {
		return picture.Picture{Fault: "it cannot be read"}
	}
	pic, err := picture.Decode(data)
	if errors.Is(err, image.ErrFormat) && prompt.IsPicture(string(p)) { // a known format, by its name
		pic.Fault = "broken image"
	}
	return pic
}
