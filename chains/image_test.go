package chains_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// pixel is a PNG file with one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="

// picture returns a PNG file, which differs by the byte behind its end.
func picture(mark byte) string {
	file, _ := base64.StdEncoding.DecodeString(pixel)
	return string(file) + string(mark)
}

var inlineImage = regexp.MustCompile(`\$(png|PNG)([a-z])`)

// inlinePictures replaces $pngx by a picture in base64, and $PNGx by a large one.
func inlinePictures(text string) string {
	return inlineImage.ReplaceAllStringFunc(text, func(name string) string {
		file := picture(name[4])
		if name[1] == 'P' {
			file += strings.Repeat("x", 2000)
		}
		return base64.StdEncoding.EncodeToString([]byte(file))
	})
}

// images of the last message of the last request, by their mark or address.
func (r *rig) images() []string {
	all := r.model.Requests()
	messages := all[len(all)-1].Messages
	var out []string
	for i, m := range messages {
		for _, im := range m.Images {
			name := im.URL
			if im.Data != nil {
				name = im.MIME + " " + string(im.Data[len(im.Data)-1:])
			}
			if i < len(messages)-1 {
				name += " (history)"
			}
			out = append(out, name)
		}
	}
	return out
}

// TestPictureWeighs: a picture is in the price; one that a model cannot see is there, but does
// not go along, each time that somebody asks.
func TestPictureWeighs(t *testing.T) {
	r := newRig(t, garden, reply("Seen."))
	vaulttest.Write(t, r.vault, "photo.png", picture('a'))
	refs := []prompt.Ref{{Kind: prompt.Picture, ID: "photo.png"}, {Kind: prompt.Picture, ID: "gone.png"}}
	for vision, state := range map[bool]string{true: "new", false: "unsent"} {
		r.begin(func(o *chains.Options) { o.Vision = vision })
		for range 2 {
			all := value(r.session.Weigh(t.Context(), chains.Input{}, refs))(t)
			if len(all) != 2 || all[0].State != state || all[1].State != "missing" || (all[0].Tokens < 1000) == vision {
				t.Errorf("%+v", all)
			}
		}
	}
}
