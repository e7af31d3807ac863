package gather

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// onePixel is a WebP file of one pixel, in base64.
const onePixel = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// files returns an image of each format that models take.
func files(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	img := image.NewPaletted(image.Rect(0, 0, 60, 40), palette.Plan9)
	for i := range img.Pix {
		img.Pix[i] = byte(i * i)
	}
	for kind, write := range map[string]func(b *bytes.Buffer) error{
		"image/png":  func(b *bytes.Buffer) error { return png.Encode(b, img) },
		"image/jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) },
		"image/gif":  func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		all[kind] = b.Bytes()
	}
	webp, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		t.Fatal(err)
	}
	all["image/webp"] = webp
	return all
}

// TestBrokenImages: a file that has the signature of an image is sent only if the rest
// of it is there too.
func TestBrokenImages(t *testing.T) {
	for kind, whole := range files(t) {
		im, err := sniffImage("a.png", whole)
		if err != nil || im.MIME != kind {
			t.Errorf("%s: %v, %s", kind, err, im.MIME)
		}
		if _, err := sniffImage("a.png", append(bytes.Clone(whole), "something behind it"...)); err != nil {
			t.Errorf("%s with something behind it: %v", kind, err)
		}
		for n := 16; n < len(whole)-2; n += 1 + len(whole)/50 {
			if _, err := sniffImage("a.png", whole[:n]); err == nil || !strings.Contains(err.Error(), "broken") {
				t.Errorf("%s, %d of %d bytes: %v", kind, n, len(whole), err)
			}
		}
		junk := append(bytes.Clone(whole[:16]), strings.Repeat("junk", 50)...)
		if _, err := sniffImage("a.png", junk); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%s of junk: %v", kind, err)
		}
	}
	whole := string(files(t)["image/jpeg"])
	cut := whole[:2] + "\xff\xe1\x00\x06\xff\xda\xff\xd9" + whole[2:len(whole)-2] // with a thumbnail
	if _, err := sniffImage("a.jpg", []byte(cut)); err == nil {
		t.Error("a JPEG file that is cut off is taken for the end of its thumbnail")
	}
}

func FuzzCheckImage(f *testing.F) {
	for _, start := range []string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "\xff\xd8\xff\xe0\x00\x02\xff\xda\x00",
		"GIF89a\x01\x00\x01\x00\x80\x00\x00", "RIFF\x04\x00\x00\x00WEBPVP8 ",
	} {
		f.Add([]byte(start))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = sniffImage("a.png", data) // no panic
	})
}
