package picture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/picture"
)

// flag returns a PNG file: red above blue, with a transparent column at the left.
func flag(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := 1; x < w; x++ {
			c := color.RGBA{R: 255, A: 255}
			if y >= h/2 {
				c = color.RGBA{B: 255, A: 255}
			}
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLines(t *testing.T) {
	p, err := picture.Decode(flag(t, 3, 2))
	if err != nil {
		t.Fatal(err)
	}
	const want = "\x1b[m \x1b[m\x1b[38;2;255;0;0;48;2;0;0;255m▀▀\x1b[m"
	if got := p.Lines(40); len(got) != 1 ||
		strings.TrimPrefix(got[0], "\x1b[m") != strings.TrimPrefix(want, "\x1b[m") {
		t.Errorf("a flag of 3 × 2 is %q", got)
	}
	p, err = picture.Decode(flag(t, 400, 300))
	if err != nil || p.Describe(false) != "400×300" {
		t.Errorf("%q, %v", p.Describe(false), err)
	}
	for _, columns := range []int{1, 8, 40, 72, 200} {
		lines := p.Lines(columns)
		if len(lines) == 0 || len(lines) > 18 {
			t.Errorf("%d lines in %d columns", len(lines), columns)
		}
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > columns || w == 0 {
				t.Errorf("a line of %d in %d columns", w, columns)
			}
		}
	}
}

// TestBounds: a file that claims to be a very large image is not decoded, nor is what
// is no image.
func TestBounds(t *testing.T) {
	bomb := flag(t, 2, 2)
	binary.BigEndian.PutUint32(bomb[16:], 1<<20)
	binary.BigEndian.PutUint32(bomb[20:], 1<<20)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	p, err := picture.Decode(bomb)
	if err == nil || p.Width != 1<<20 || p.Lines(40) != nil {
		t.Errorf("%q: %v", p.Describe(false), err)
	}
	if p.Describe(false) != "1048576×1048576, too large to be drawn" {
		t.Error(p.Describe(false))
	}
	p, err = picture.Decode([]byte("no image"))
	if err == nil || p.Lines(40) != nil || p.Describe(false) != "unknown image format" {
		t.Errorf("%q: %v", p.Describe(false), err)
	}
	cut := flag(t, 200, 200)
	if p, err = picture.Decode(cut[:60]); err == nil || p.Lines(40) != nil ||
		p.Describe(true) != "200x200, broken image" {
		t.Errorf("%q: %v", p.Describe(false), err)
	}
}

// TestSizes: an image is drawn no wider than there is room, and no larger than it is.
func TestSizes(t *testing.T) {
	for size, want := range map[[2]int][2]int{
		{400, 300}: {48, 18}, {20, 8}: {20, 4}, {9000, 10}: {60, 1}, {1, 1}: {1, 1},
	} {
		p, err := picture.Decode(flag(t, size[0], size[1]))
		if err != nil {
			t.Fatal(err)
		}
		lines := p.Lines(60)
		if len(lines) != want[1] || ansi.StringWidth(lines[0]) != want[0] {
			t.Errorf("%v is drawn in %d lines of %d, want %v", size, len(lines), ansi.StringWidth(lines[0]), want)
		}
	}
	measured, err := picture.Measure(flag(t, 640, 480))
	if err != nil || measured.Describe(false) != "640×480" || measured.Describe(true) != "640x480" ||
		measured.Lines(40) != nil {
		t.Errorf("%q, %v", measured.Describe(false), err)
	}
}
