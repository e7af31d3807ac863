package picture

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats that notes embed
	_ "image/jpeg"
	_ "image/png"
	"strings"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// The bounds of a file, and of an image in pixels.
const (
	MaxBytes  = 10 << 20
	maxPixels = 40 << 20
)

// The size of what is drawn, in cells.
const (
	mostColumns = 72
	mostRows    = 18
)

// Picture is an image. Its zero value is a file that cannot be shown.
type Picture struct {
	Width, Height int // of the image, in pixels; 0 if they are not known
	Bytes         int // of its file

	small *image.RGBA // nil if it is only named
}

// Decode reads an image. One that is too large, or of a format that is not known, is
// not decoded, and the error says so; what is known of it is returned all the same.
func Decode(data []byte) (Picture, error) {
	p := Picture{Bytes: len(data)}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return p, fmt.Errorf("read the size of an image: %w", err)
	}
	p.Width, p.Height = config.Width, config.Height
	if p.Width <= 0 || p.Height <= 0 || p.Width > maxPixels/p.Height {
		return p, fmt.Errorf("an image of %d × %d pixels is too large to be shown", p.Width, p.Height)
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return p, fmt.Errorf("decode an image: %w", err)
	}
	w, h := fit(p.Width, p.Height, mostColumns)
	p.small = scaled(full, w, h)
	return p, nil
}

// fit is the size in pixels at which an image is drawn in so many columns: no larger
// than it is, of whole cells.
func fit(w, h, columns int) (int, int) {
	columns = max(min(columns, mostColumns, w), 1)
	tall := h * columns / w
	if most := min(2*mostRows, h); tall > most {
		columns, tall = max(columns*most/tall, 1), most
	}
	return columns, max(tall+tall%2, 2)
}

func scaled(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// Lines draws the picture in at most so many columns, in colours of 24 bits; nothing
// if it can only be named. What is clear stays the background of the terminal.
func (p *Picture) Lines(columns int) []string {
	if p.small == nil {
		return nil
	}
	img := p.small
	if w, h := fit(p.Width, p.Height, columns); w != img.Bounds().Dx() {
		img = scaled(img, w, h)
	}
	var lines []string
	for y := 0; y < img.Bounds().Dy(); y += 2 {
		var b strings.Builder
		was := ""
		for x := range img.Bounds().Dx() {
			style, cell := halves(img, x, y)
			if style != was {
				b.WriteString("\x1b[m" + style)
				was = style
			}
			b.WriteString(cell)
		}
		lines = append(lines, b.String()+"\x1b[m")
	}
	return lines
}

// halves is a cell that shows the pixel at x, y and the one below it.
func halves(img *image.RGBA, x, y int) (style, cell string) {
	upper, lower := img.RGBAAt(x, y), img.RGBAAt(x, y+1)
	switch {
	case upper.A < 128 && lower.A < 128:
		return "", " "
	case lower.A < 128:
		return fmt.Sprintf("\x1b[38;2;%d;%d;%dm", upper.R, upper.G, upper.B), "▀"
	case upper.A < 128:
		return fmt.Sprintf("\x1b[38;2;%d;%d;%dm", lower.R, lower.G, lower.B), "▄"
	}
	return fmt.Sprintf("\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm", upper.R, upper.G, upper.B, lower.R, lower.G, lower.B), "▀"
}

// Says is what is known of a picture in words: its size in pixels, and its weight.
func (p *Picture) Says() string {
	var parts []string
	if p.Width > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d", p.Width, p.Height))
	}
	switch {
	case p.Bytes >= 1_000_000:
		parts = append(parts, fmt.Sprintf("%.1f MB", float64(p.Bytes)/1e6))
	case p.Bytes >= 1000:
		parts = append(parts, fmt.Sprintf("%d kB", (p.Bytes+500)/1000))
	case p.Bytes > 0:
		parts = append(parts, fmt.Sprintf("%d bytes", p.Bytes))
	}
	return strings.Join(parts, ", ")
}
