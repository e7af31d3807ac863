package gather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
)

// Images reads the images that a note embeds, in the order of the text, each once: ![[photo.png]],
// ![[photo.png|300]], ![](pics/a.png) and data URIs. Names are resolved like links in the note. Images on the web
// are never fetched; their addresses are passed on if the options allow it.
func (g *Gatherer) Images(ctx context.Context, it prompt.Item) (images []prompt.Image, missing []prompt.MissingRef) {
	defer recoverReference(it.Ref, &images, &missing)
	if it.Kind != prompt.Note || !it.HasImages {
		return nil, nil
	}
	t, miss := g.read(it.Ref, it.ID)
	if miss != nil {
		return nil, miss
	}
	remote := false
	lose := func(reason string) {
		missing = append(missing, missingRef(it.Ref, "image", it.ID+": "+reason)...)
	}
	for _, e := range embedsOf(t) {
		if ctx.Err() != nil {
			return images, missing
		}
		im, err := g.image(ctx, e, vault.Path(it.ID))
		switch {
		case err == nil:
			images = append(images, im)
		case errors.Is(err, errRemote):
			remote = true
		case !errors.Is(err, errNoImage):
			lose(fmt.Sprintf("the image %s is not sent: %v", md.Clip(e.name(), 60), err))
		}
	}
	if remote {
		lose("its images on the web are not sent, since the setting files.remote_images is off")
	}
	return images, missing
}

// embed is something that a note embeds.
type embed struct {
	line   int
	target string
	data   legible.URI // set if target is ""
}

func (e *embed) name() string {
	if e.target == "" {
		return e.data.Placeholder()
	}
	return e.target
}

// embedsOf returns what a note embeds, by line, each once.
func embedsOf(t vault.Text) []embed {
	var all []embed
	seen := map[string]bool{}
	add := func(e embed) {
		if name := e.name(); !seen[name] {
			seen[name] = true
			all = append(all, e)
		}
	}
	for l := range t.Note.Links() {
		if l.Kind == vault.Embed && l.Target != "" {
			add(embed{line: l.Line, target: l.Target})
		}
	}
	for _, e := range embeddedData(t.Content) {
		add(e)
	}
	slices.SortStableFunc(all, func(a, b embed) int { return cmp.Compare(a.line, b.line) })
	return all
}

var (
	errNoImage = errors.New("not an image") // other things are embedded, too, such as notes
	errRemote  = errors.New("on the web")
	errFormat  = errors.New("its content is not an image that models take (png, jpeg, gif, webp)")
)

func (g *Gatherer) image(ctx context.Context, e embed, from vault.Path) (prompt.Image, error) {
	if e.target == "" {
		data, err := e.data.Decode(g.opts.MaxImage)
		if err != nil {
			return prompt.Image{}, err
		}
		return sniffImage(e.name(), data)
	}
	if md.StartsURL(e.target) {
		if !g.opts.RemoteImages {
			return prompt.Image{}, errRemote
		}
		return prompt.Image{Name: e.target, URL: e.target}, nil
	}
	if !vault.IsPicture(e.target) {
		return prompt.Image{}, errNoImage
	}
	f := g.vault.Resolve(e.target, from)
	if f.State != vault.OK { // it may be newer than the last look at the disk
		if changes, err := g.vault.Revalidate(ctx); err == nil && len(changes) > 0 {
			f = g.vault.Resolve(e.target, from)
		}
	}
	if f.State != vault.OK {
		return prompt.Image{}, errors.New("there is no such file")
	}
	data, err := g.vault.ReadFile(f.Path, g.opts.MaxImage)
	if err != nil {
		if reason := errors.Unwrap(err); reason != nil {
			err = reason // without the name, which the message has already
		}
		return prompt.Image{}, err
	}
	return sniffImage(e.target, data)
}

// picture reads an image file.
func (g *Gatherer) picture(ref prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	p, err := vault.ParsePath(ref.ID)
	if err != nil {
		return nil, missingFile(ref, err)
	}
	data, err := g.vault.ReadFile(p, g.opts.MaxImage)
	if err != nil {
		return nil, missingFile(ref, err)
	}
	im, err := sniffImage(path.Base(ref.ID), data)
	if err != nil {
		state := "broken"
		if errors.Is(err, errFormat) {
			state = "binary"
		}
		return nil, missingRef(ref, state, ref.ID+" is not sent: "+err.Error())
	}
	return []prompt.Item{prompt.NewPicture(ref.ID, im)}, nil
}

// sniffImage returns the image in data. Its type is that of the content, whatever the name says.
func sniffImage(name string, data []byte) (prompt.Image, error) {
	switch kind := http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		if err := checkImage(kind, data); err != nil {
			return prompt.Image{}, err
		}
		return prompt.Image{Name: name, MIME: kind, Data: data}, nil
	}
	return prompt.Image{}, errFormat
}
