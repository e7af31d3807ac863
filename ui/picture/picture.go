package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the formats that notes embed
	_ "image/jpeg"
	_ "image/png"
	"path"
	"strings"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// The limits for a file in bytes and for an image in pixels.
const (
	MaxBytes  = 10 << 20
	maxPixels = 40 << 20
)

// TooLarge is the Fault of an image above these limits.
const TooLarge = "too large to be drawn"

// The largest size of a drawn image, in cells.
const (
	maxColumns = 72
	maxRows    = 18
)

// Picture is an image. The zero value is a file that cannot be shown.
type Picture struct {
	Width, Height int    // of the image in pixels, 0 if not known
	Fault         string // reason why it cannot be shown, "" if it can

	small *image.RGBA // scaled down, nil if it cannot be shown
}

// IsImage reports whether a file with this name is an image.
func IsImage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".avif", ".heic", ".tif", ".tiff":
		return true
	}
	return false
}

// Measure reads the size of an image. It fails if the image cannot be shown; the picture it returns
// then has the Fault.
func Measure(data []byte) (Picture, error) {
	var p Picture
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case errors.Is(err, image.ErrFormat):
		p.Fault = "unknown image format"
	case err != nil:
		p.Fault = "broken image"
	}
	if err != nil {
		return p, fmt.Errorf("read the size of an image: %w", err)
	}
	p.Width, p.Height = config.Width, config.Height
	if p.Width <= 0 || p.Height <= 0 || p.Width > maxPixels/p.Height {
		p.Fault = TooLarge
		return p, fmt.Errorf("an image of %d × %d pixels is too large to be shown", p.Width, p.Height)
	}
	return p, nil
}

// Decode decodes an image. It fails if the image is too large or its format is unknown; the picture it
// returns then has the facts that are known.
func Decode(data []byte) (Picture, error) {
	p, err := Measure(data)
	if err != nil {
		return p, err
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		p.Fault = "broken image"
		return p, fmt.Errorf("decode an image: %w", err)
	}
	w, h := fit(p.Width, p.Height, maxColumns)
	p.small = scaleImage(full, w, h)
	return p, nil
}

// Drawn reports whether Lines draws the picture.
func (p *Picture) Drawn() bool { return p.small != nil }

// fit returns the size in pixels of an image drawn in a number of columns. It does not enlarge the
// image, and the height is even, which makes whole cells.
func fit(w, h, columns int) (int, int) {
	columns = max(min(columns, maxColumns, w), 1)
	tall := h * columns / w
	if most := min(2*maxRows, h); tall > most {
		columns, tall = max(columns*most/tall, 1), most
	}
	return columns, max(tall+tall%2, 2)
}

func scaleImage(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// Lines draws the picture in at most the given columns, in 24-bit colours. It returns nil if the
// picture can only be named. Transparent pixels keep the background of the terminal.
func (p *Picture) Lines(columns int) []string {
	if p.small == nil {
		return nil
	}
	img := p.small
	if w, h := fit(p.Width, p.Height, columns); w != img.Bounds().Dx() || h != img.Bounds().Dy() {
		img = scaleImage(img, w, h)
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

// halves returns the cell for the pixel at x, y and the one below it.
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

// Describe describes a picture in words: its size in pixels and its Fault. ascii avoids other characters.
func (p *Picture) Describe(ascii bool) string {
	if p.Width <= 0 || p.Height <= 0 {
		return p.Fault
	}
	times, why := "×", ""
	if ascii {
		times = "x"
	}
	if p.Fault != "" {
		why = ", " + p.Fault
	}
	return fmt.Sprintf("%d%s%d%s", p.Width, times, p.Height, why)
}
