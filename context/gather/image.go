package gather

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// Images reads the images that a note embeds, in the order of the text, each
// once: ![[photo.png]], ![[photo.png|300]], ![](pics/a.png) and data URIs.
// Images on the web are handed on by address, and only if the options allow it.
func (g *Gatherer) Images(ctx context.Context, it prompt.Item) ([]prompt.Image, []prompt.Missing) {
	if it.Kind != prompt.Note || !it.HasImages {
		return nil, nil
	}
	t, miss := g.read(it.Ref, it.ID)
	if miss != nil {
		return nil, []prompt.Missing{*miss}
	}
	var images []prompt.Image
	var missing []prompt.Missing
	seen := map[string]bool{}
	for _, l := range t.Note.Links {
		if l.Kind != vault.Embed || seen[l.Target] || ctx.Err() != nil {
			continue
		}
		seen[l.Target] = true
		im, err := g.image(l.Target, vault.Path(it.ID))
		switch {
		case errors.Is(err, errNoImage):
		case err != nil:
			missing = append(missing, prompt.Missing{Ref: it.Ref, State: "image", Reason: fmt.Sprintf("%s: the image %s is not sent: %v", it.ID, short(l.Target), err)})
		default:
			images = append(images, im)
		}
	}
	return images, missing
}

// errNoImage is for embeds of other things, such as notes.
var errNoImage = errors.New("not an image")

func (g *Gatherer) image(target string, from vault.Path) (prompt.Image, error) {
	if u, err := url.Parse(target); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if !g.opts.RemoteImages {
			return prompt.Image{}, errors.New("it is on the web, and the setting files.remote_images is off")
		}
		return prompt.Image{Name: target, URL: target}, nil
	}
	if strings.HasPrefix(target, "data:") {
		return dataImage(target)
	}
	kind := mediaType(target)
	if kind == "" {
		return prompt.Image{}, errNoImage
	}
	f := g.vault.Resolve(target, from)
	if f.State != vault.OK {
		return prompt.Image{}, errors.New("there is no such file")
	}
	data, err := g.vault.ReadFile(f.Path, g.opts.MaxImage)
	if err != nil {
		return prompt.Image{}, err
	}
	// What the bytes say counts, not the name.
	if sniffed := http.DetectContentType(data); strings.HasPrefix(sniffed, "image/") {
		kind = sniffed
	} else {
		return prompt.Image{}, errors.New("its content is not an image that models take (png, jpeg, gif, webp)")
	}
	return prompt.Image{Name: target, MIME: kind, Data: data}, nil
}

// mediaType is the type of an image that models take, by its name; "" for
// other files.
func mediaType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".gif":
		return "image/gif"
	case ".webp":
		return "image/webp"
	case ".svg", ".bmp", ".avif", ".heic", ".tif", ".tiff":
		return "image/other"
	}
	return ""
}

// dataImage reads a data URI.
func dataImage(target string) (prompt.Image, error) {
	head, data, ok := strings.Cut(strings.TrimPrefix(target, "data:"), ",")
	head, is64 := strings.CutSuffix(head, ";base64")
	kind, _, err := mime.ParseMediaType(head)
	if !ok || !is64 || err != nil || !strings.HasPrefix(kind, "image/") {
		return prompt.Image{}, errNoImage
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return prompt.Image{}, errors.New("its data is damaged")
	}
	return prompt.Image{Name: "data:" + kind, MIME: kind, Data: bytes}, nil
}

func short(s string) string {
	if len(s) > 60 {
		return s[:57] + "…"
	}
	return s
}
