package chains_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// pixel is a PNG file with one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="

// picture is a PNG file, told apart by the byte behind its end.
func picture(mark byte) string {
	file, _ := base64.StdEncoding.DecodeString(pixel)
	return string(file) + string(mark)
}

// album has pictures a to d where notes look for them.
func album(t *testing.T, archive string, vision bool, options gather.Options) *rig {
	r := newRig(t, archive)
	for p, mark := range map[vault.Path]byte{"photo.png": 'a', "sub/pics/a.png": 'b', "pics/c.png": 'c', "other.png": 'd'} {
		vaulttest.Write(t, r.vault, p, picture(mark))
	}
	value(r.vault.Revalidate(t.Context()))(t)
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply { return chaintest.Reply{Text: "Seen."} }})
	return r.begin(func(o *chains.Options) { o.Vision, o.Gather = vision, gather.New(r.vault, options) })
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

// TestImages holds S0-78, S0-79 and the cases of S0-81: what of a note's images
// is in the request.
func TestImages(t *testing.T) {
	t.Parallel()
	inline := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(picture('z')))
	archive := `
-- photo.md --
Before ![[photo.png]] after. Marker: oriole.
-- other.md --
![[other.png]] Marker: finch.
-- sized.md --
![[photo.png|300]] and again ![[photo.png]]
-- sub/relative.md --
![A bed](pics/a.png) and ![[c.png]]
-- remote.md --
![](https://example.com/pic.png) ![](http://example.com/2.png)
-- inline.md --
![](` + inline + `) Marker: wren.
-- mixed.md --
![[other.png]]
![](` + inline + `)
![[photo.png]]
![[other]] ![[missing.png]] ![[fake.png]]
-- fake.png --
this is text
-- none.md --
No image, only the word photo.png.
`
	const png = "image/png "
	tests := map[string]struct {
		in     chains.Input
		web    bool
		want   []string
		notice string
	}{
		"1 of an attached note, ignored": {in: chains.Input{Text: "Describe it", Attach: []prompt.Ref{note("photo.md")}}},
		"2 of the active note":           {in: chains.Input{Text: "Describe it", Active: note("photo.md"), Attach: []prompt.Ref{note("other.md")}}, want: []string{png + "a"}},
		"3 wikilinks, each once":         {in: chains.Input{Text: "Describe it", Active: note("sized.md")}, want: []string{png + "a"}},
		"4 markdown links":               {in: chains.Input{Text: "Describe it", Active: note("sub/relative.md")}, want: []string{png + "b", png + "c"}},
		"5 on the web, by the setting":   {in: chains.Input{Text: "Describe it", Active: note("remote.md")}, web: true, want: []string{"https://example.com/pic.png", "http://example.com/2.png"}},
		"5 on the web":                   {in: chains.Input{Text: "Describe it", Active: note("remote.md")}, notice: "its images on the web are not sent"},
		"6 inline":                       {in: chains.Input{Text: "Describe it", Active: note("inline.md")}, want: []string{png + "z"}},
		"6 in the order of the text":     {in: chains.Input{Text: "Describe it", Active: note("mixed.md")}, want: []string{png + "d", png + "z", png + "a"}, notice: "missing.png"},
		"named as active in the text":    {in: chains.Input{Text: "Describe @active", Open: note("photo.md")}, want: []string{png + "a"}},
		"named in the text":              {in: chains.Input{Text: "Describe ![[photo.png]] of @photo.md"}, want: []string{png + "a"}},
		"named, no picture":              {in: chains.Input{Text: "Describe @fake.png"}, notice: "fake.png is not sent: its content is not an image"},
		"none":                           {in: chains.Input{Text: "Describe it", Active: note("none.md")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := album(t, archive, true, gather.Options{RemoteImages: tt.web})
			h := r.send(tt.in).ended(chains.FinishStop)
			if got := r.images(); !slices.Equal(got, tt.want) {
				t.Errorf("images %q, want %q", got, tt.want)
			}
			if said := strings.Join(h.notices(""), "\n"); !strings.Contains(said, tt.notice) || (said == "") != (tt.notice == "") {
				t.Errorf("notices %q", said)
			}
			r.lacks(r.sent(), "base64", inline[40:])
			if !strings.HasSuffix(r.sent(), tt.in.Text) {
				t.Error("the question is not the end of the request")
			}
			// 7: the same when the turn runs again.
			r.retry().ended(chains.FinishStop)
			if got := r.images(); !slices.Equal(got, tt.want) {
				t.Errorf("again: images %q, want %q", got, tt.want)
			}
		})
	}
}

// TestImagesNotTaken: a model without eyes gets the text, and the person one
// clear line, once a chat.
func TestImagesNotTaken(t *testing.T) {
	r := album(t, "-- photo.md --\n![[photo.png]] ![[other.png]] Marker: oriole.\n", false, gather.Options{})
	for turn := range 2 {
		h := r.send(chains.Input{Text: "Describe it", Active: note("photo.md")}).ended(chains.FinishStop)
		if n := strings.Join(h.notices("image_note"), "\n"); (turn == 0) != strings.Contains(n, "photo.md: images are not sent, since m is not known to take them") {
			t.Errorf("notices %q", h.notices(""))
		}
		if got := r.images(); len(got) > 0 {
			t.Errorf("images %q", got)
		}
		r.wants(r.sent(), "oriole")
	}
	_, missing, err := r.session.Preview(t.Context(), chains.Input{Text: "Describe it", Active: note("photo.md")})
	if err != nil || len(missing) != 1 {
		t.Errorf("%+v, %v", missing, err)
	}
}

// TestImageNotWeighed: a picture that a model cannot see is there, but does not go along.
func TestImageNotWeighed(t *testing.T) {
	r := album(t, "-- photo.md --\nMarker.\n", false, gather.Options{})
	refs := []prompt.Ref{{Kind: prompt.Picture, ID: "photo.png"}, {Kind: prompt.Picture, ID: "gone.png"}}
	all, err := r.session.Weigh(t.Context(), chains.Input{}, refs)
	if err != nil || len(all) != 2 || all[0].State != "unsent" || all[1].State != "missing" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestImageNotesStayOut holds S0-77: in the strict layout a note with images is
// in every turn that attaches it and never in the system message.
func TestImageNotesStayOut(t *testing.T) {
	inline := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(picture('z'), 100)))
	r := album(t, "-- photo.md --\n![[photo.png]] ![](data:image/png;base64,"+inline+") Marker: oriole.\n-- beds.md --\nMarker: wren.\n", true, gather.Options{})
	r.begin(func(o *chains.Options) { o.Layout = prompt.Strict })
	for turn := range 3 {
		env := r.send(chains.Input{Text: "Look", Attach: []prompt.Ref{note("photo.md"), note("beds.md")}}).ended(chains.FinishStop).envelope()
		if !strings.Contains(env.Text("L3"), "oriole") || strings.Contains(r.system(), "oriole") || strings.Contains(r.sent(), "base64") {
			t.Errorf("turn %d:\n%s", turn+1, r.sent())
		}
		if strings.Contains(r.system(), "wren") != (turn > 0) {
			t.Errorf("turn %d: the library", turn+1)
		}
	}
	const gone = "photo.md is no longer in the prompt (it embeds images): attach it again if you need it."
	left := func(in chains.Input) bool {
		h := r.send(in).ended(chains.FinishStop)
		r.lacks(r.sent(), "oriole")
		r.wants(r.system(), "wren")
		said := slices.Equal(h.notices("left_note"), []string{gone})
		if said != strings.Contains(r.sent(), gone+"\n\n---") {
			t.Errorf("the person knows: %v, the model:\n%s", said, r.sent())
		}
		return said
	}
	for i, want := range []bool{true, false} {
		if left(chains.Input{Text: "And without it?"}) != want {
			t.Errorf("turn %d after it: said %v", i+1, !want)
		}
	}
	r.reopen()
	if !left(chains.Input{Text: "And now?"}) {
		t.Error("nothing is said after reopening")
	}
}

// TestImageNotesStay: outside of the strict layout the text of a note with images
// is in the prompt for good, after a promotion and after reopening.
func TestImageNotesStay(t *testing.T) {
	r := album(t, "-- photo.md --\n![[photo.png]] Marker: oriole.\n", true, gather.Options{})
	r.send(chains.Input{Text: "Look", Active: note("photo.md")}).ended(chains.FinishStop)
	for range 2 {
		r.say("And now?")
		r.wants(r.system(), "oriole", "![[photo.png]]")
		r.reopen()
	}
	r.send(chains.Input{Text: "Look again", Active: note("photo.md")}).ended(chains.FinishStop)
	if all := r.last(); strings.Contains(all[len(all)-1], "oriole") {
		t.Errorf("the text travels again:\n%s", all[len(all)-1])
	}
	if got := r.images(); !slices.Equal(got, []string{"image/png a"}) {
		t.Errorf("images %q", got)
	}
}

// TestInlineImageChanged: a change of a file inside a note's text is a change of
// the note, and the new image goes to the model.
func TestInlineImageChanged(t *testing.T) {
	text := func(mark byte) string {
		return "![](data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(picture(mark))) + ") Marker: oriole.\n"
	}
	r := album(t, "-- photo.md --\n"+text('x'), true, gather.Options{})
	r.begin(func(o *chains.Options) { o.Layout = prompt.Append })
	in := chains.Input{Text: "Look", Active: note("photo.md")}
	r.send(in).ended(chains.FinishStop)
	r.send(in).ended(chains.FinishStop)
	if got := r.images(); !slices.Equal(got, []string{"image/png x (history)"}) {
		t.Errorf("images %q", got)
	}
	vaulttest.Write(t, r.vault, "photo.md", text('y'))
	if at := r.send(in).ended(chains.FinishStop).envelope().Attached; at[0].State != "updated" {
		t.Errorf("%+v", at)
	}
	if got := r.images(); !slices.Equal(got, []string{"image/png x (history)", "image/png y"}) {
		t.Errorf("images %q", got)
	}
}

// TestImageGained holds K15 (a): a note that gains an image stays where it is, and
// the image goes along all the same when the note is the active one.
func TestImageGained(t *testing.T) {
	r := album(t, "-- beds.md --\nMarker: wren.\n", true, gather.Options{})
	in := chains.Input{Text: "Look", Active: note("beds.md")}
	r.send(in).ended(chains.FinishStop)
	r.send(in).ended(chains.FinishStop)
	r.wants(r.system(), "wren")
	vaulttest.Write(t, r.vault, "beds.md", "Marker: wren. ![[photo.png]]\n")
	r.send(in).ended(chains.FinishStop)
	r.wants(r.system(), "wren")
	if got := r.images(); !slices.Equal(got, []string{"image/png a"}) {
		t.Errorf("images %q", got)
	}
}

// TestImageTooLarge names the limit.
func TestImageTooLarge(t *testing.T) {
	big := base64.StdEncoding.EncodeToString([]byte(picture('q') + strings.Repeat("x", 2000)))
	r := album(t, fmt.Sprintf("-- photo.md --\n![[large.png]] ![[photo.png]] ![](data:image/png;base64,%s)\n", big), true, gather.Options{MaxImage: 1000})
	vaulttest.Write(t, r.vault, "large.png", picture('l')+strings.Repeat("x", 2000)) // and nobody told of it
	h := r.send(chains.Input{Text: "Look", Active: note("photo.md")}).ended(chains.FinishStop)
	if got := r.images(); !slices.Equal(got, []string{"image/png a"}) {
		t.Errorf("images %q", got)
	}
	n := h.notices("image_note")
	if len(n) != 2 || !strings.Contains(n[0], "large.png is not sent: too large") || !strings.Contains(n[1], "too large") {
		t.Errorf("notices %q", n)
	}
}

// TestPicture: an image that is attached by name travels once, is in the price and
// in the chat file, and is said to be gone when the chat is opened again; of a
// model without eyes that is said once a chat.
func TestPicture(t *testing.T) {
	const archive = "-- beds.md --\nMarker: wren.\n"
	r := album(t, archive, true, gather.Options{})
	h := r.send(chains.Input{Text: "What is on @photo.png?"}).ended(chains.FinishStop)
	if a := h.envelope().Attached; len(a) != 1 || a[0].State != "new" || a[0].Tokens < 1000 {
		t.Errorf("%+v", a)
	}
	r.send(chains.Input{Text: "And @photo.png again?"}).ended(chains.FinishStop)
	if got := r.images(); !slices.Equal(got, []string{"image/png a (history)"}) {
		t.Errorf("images %q", got)
	}
	r.wants(r.file(), "[Context: Images: photo.png]")
	r.reopen()
	h = r.say("And now?")
	if got := h.notices("left_note"); !slices.Equal(got, []string{"photo.png is no longer in the prompt (it is an image): attach it again if you need it."}) {
		t.Errorf("notices %q", got)
	}
	r.send(chains.Input{Text: "Again: @photo.png"}).ended(chains.FinishStop)
	if got := r.images(); !slices.Equal(got, []string{"image/png a"}) {
		t.Errorf("images %q", got)
	}

	blind := album(t, archive, false, gather.Options{})
	for turn, name := range []string{"photo.png", "other.png"} {
		h := blind.send(chains.Input{Text: "What is on @" + name + "?"}).ended(chains.FinishStop)
		if n := h.notices("image_note"); len(n) != 1-turn || len(blind.images()) > 0 {
			t.Errorf("turn %d: notices %q, images %q", turn, n, blind.images())
		}
	}
}
