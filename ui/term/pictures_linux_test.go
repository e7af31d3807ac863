package term_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"

	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

var updatePictures = flag.Bool("update-pictures", false, "draw the pictures of README.md anew")

// The colours of the terminal of the pictures, and the size of a cell in them.
const (
	pictureText, pictureGround = "#d8dee9", "#1e222a"
	cellWidth, cellHeight      = 8.4, 18
)

// TestPictures: the pictures of README.md are what the program draws, on a terminal of its
// own, with the sample vault and a server that answers by a script. Clocks and durations
// are made the same in all of them.
func TestPictures(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	dir := filepath.Join(t.TempDir(), "notes")
	check(t, os.CopyFS(dir, os.DirFS("../cli/demo")))
	server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{
		{Text: `{"phrasings": [], "terms": []}`}, // the search is to add no other words
		{Text: "Blight took **all but one row** of the south bed within a week, after a wet August. [^1] Only *Matina* was spared. [^2]\n\n" +
			"For next year:\n\n- more room between the plants, and water at the root\n- no diseased leaves on the heap, which does not get hot enough [^3]\n"},
		{ToolCalls: []prompt.ToolCall{{
			ID: "a", Name: "editFile",
			Arguments: `{"path":"Projects/Garden plan.md","oldText":"Three kinds are enough:","newText":"Three kinds are enough, half a metre from each other, since blight spread from plant to plant in 2026:"}`,
		}}},
		{Text: "The plan says it now."},
		{Text: "**Matina** was the only one that blight spared: early, and not fussy.\n"},
		{Text: "The tomatoes move to the greenhouse, since Jonas says that they belong under a roof.\n"},
	}})
	for _, question := range []string{"when is the compost ready?", "what does the frost change?"} {
		p := startTerminal(t, newEmulator(100, 30), dir, server.URL(), "ask", "--offline", question)
		p.ends(0)
	}
	p := newTerminal(t, newEmulator(100, 30), dir, server.URL())
	cmd := p.command("ibid", "--chain", "vault", "--model", "local-model", "--active", "off", ".")
	cmd.Env = append(cmd.Env, "COLORTERM=truecolor")
	p.start(cmd)
	p.shows("Ask your vault")
	p.keys("What did blight do to the tomatoes?")
	p.shows("sends")
	p.keys("\r")
	p.shows("Sources")
	p.gone("esc stop")
	p.shows(" cached ─")
	p.picture("ask")
	p.keys("\x1bOQ") // f2
	p.shows("instructions")
	p.picture("context")
	p.keys("\x1b")
	p.shows("Ask your vault")
	p.keys("/chain agent\r")
	p.shows("· agent ·")
	p.keys("\x1b[200~Put that into the plan, next to the kinds.\x1b[201~\r")
	p.shows("half a metre from each other")
	p.gone("keys wake up")
	p.picture("change")
	p.keys("\x1b")
	p.shows("The plan says")
	p.gone("esc stop")
	p.keys("\x13") // ctrl+s
	p.shows("compost ready")
	p.picture("chats")
	p.keys("\x1b")
	p.shows("Ask your vault")
	p.keys("\x04") // ctrl+d
	p.ends(0)
	p = newTerminal(t, newEmulator(100, 14), dir, server.URL())
	cmd = p.command("ibid")
	cmd.Env = append(cmd.Env, "PS1=$ ", "COLORTERM=truecolor", "PATH="+filepath.Dir(cmd.Path)+":"+os.Getenv("PATH"))
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-i"}
	p.start(cmd)
	p.shows("$")
	for _, line := range [][2]string{
		{"ibid ask -n -m local-model --bare --note 'Garden plan#Tomatoes' 'Which kind was spared?'", "fussy.\n$"},
		{"ibid notes 'blight tag:garden'", "2026.\n$"},
		{"grep Jonas Daily/2026-11-20.md | ibid ask -n -m local-model --bare -q 'In one line?'", "roof.\n$"},
	} {
		p.keys(line[0] + "\r")
		p.shows(line[1])
	}
	p.picture("shell")
	p.keys("\x04")
	p.ends(0)
}

// picture compares the screen with the picture of a name.
func (p *terminal) picture(name string) {
	p.t.Helper()
	file := filepath.Join("..", "..", "docs", name+".svg")
	kept, err := os.ReadFile(file)
	drawn := p.screen.svg()
	for end := time.Now().Add(maxWait / 10); drawn != string(kept) && time.Now().Before(end); drawn = p.screen.svg() {
		time.Sleep(20 * time.Millisecond) // something may still be on its way
	}
	switch {
	case drawn == string(kept):
	case *updatePictures:
		err = os.WriteFile(file, []byte(drawn), 0o644)
	default:
		err = errors.New("the program draws something else: go test -tags slow . -run TestPictures -update-pictures")
	}
	if err != nil {
		p.t.Errorf("%s: %v\n%s", file, err, p.screen.screen())
	}
}

// varying are the clocks and durations on a screen, each with its replacement.
var varying = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b\d\d:\d\d\b`), "09:41"},
	{regexp.MustCompile(`20\d\d-\d\d-\d\d`), "2026-11-20"},
	{regexp.MustCompile(`\d+ ms`), "3 ms"},
	{regexp.MustCompile(`\b\d\.\d s\b`), "0.4 s"},
	{regexp.MustCompile(`#[0-9a-f]{4}\b`), "#1b1d"},
}

// svg draws what the terminal shows.
func (e *emulator) svg() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	w, h := e.vt.Width(), e.vt.Height()
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %d\" font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\">\n", float64(w)*cellWidth+20, h*cellHeight+20)
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n", pictureGround)
	for y := range h {
		e.drawRow(&b, y, w)
	}
	return b.String() + "</svg>\n"
}

// drawRow draws the cells of a row, those of one style together.
func (e *emulator) drawRow(b *strings.Builder, y, w int) {
	var text, texts strings.Builder // texts go above the grounds of the row
	var style uv.Style
	from := 0
	end := func(x int) {
		if s := text.String(); strings.TrimSpace(s) != "" || style.Bg != nil || style.Attrs&uv.AttrReverse != 0 {
			drawSpan(b, &texts, s, style, from, x, y)
		}
		text.Reset()
		from = x
	}
	for x := 0; x < w; {
		cell := e.vt.CellAt(x, y)
		if cell == nil || cell.Width == 0 {
			cell = &uv.EmptyCell
		}
		if !cell.Style.Equal(&style) {
			end(x)
			style = cell.Style
		}
		text.WriteString(cell.Content)
		x += max(cell.Width, 1)
	}
	end(w)
	b.WriteString(texts.String())
}

// drawSpan draws the ground and the text of the cells of a row from one column to another.
func drawSpan(grounds, texts *strings.Builder, s string, style uv.Style, from, to, y int) {
	cells := utf8.RuneCountInString(s)
	for _, v := range varying {
		s = v.what.ReplaceAllString(s, v.with)
	}
	from += cells - utf8.RuneCountInString(s) // durations end at one column
	fg, bg := hexOf(style.Fg, pictureText), hexOf(style.Bg, "")
	if style.Attrs&uv.AttrReverse != 0 {
		fg, bg = hexOf(style.Bg, pictureGround), hexOf(style.Fg, pictureText)
	}
	left, width := 10+float64(from)*cellWidth, float64(to-from)*cellWidth
	if bg != "" {
		fmt.Fprintf(grounds, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", left,
			10+y*cellHeight, width, cellHeight, bg)
	}
	looks := ""
	for _, look := range []struct {
		attr uint8
		svg  string
	}{{uv.AttrBold, ` font-weight="bold"`}, {uv.AttrItalic, ` font-style="italic"`}, {uv.AttrFaint, ` opacity="0.6"`}} {
		if style.Attrs&look.attr != 0 {
			looks += look.svg
		}
	}
	fmt.Fprintf(texts, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"%s xml:space=\"preserve\">", left, 24+y*cellHeight, width, fg, looks)
	_ = xml.EscapeText(texts, []byte(s)) // a builder takes everything
	texts.WriteString("</text>\n")
}

// hexOf returns a colour as SVG writes it, or none if c is nil.
func hexOf(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, bl, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, bl>>8)
}
