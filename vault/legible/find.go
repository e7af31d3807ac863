package legible

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"ibid/vault/md"
)

// findData returns the runs of data of a text, in order. They do not overlap.
func findData(text string) []data {
	if len(text) < leastRun && indexFold(text, "data:") < 0 {
		return nil
	}
	f := finder{text: text, uris: URIs(text), drawing: drawingStart(text)}
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		if start >= f.drawing {
			f.endBlock(start)
			f.add(start, len(strings.TrimRight(text, "\n")))
			return f.found
		}
		f.line(start, end)
		start = end + 1
	}
	f.endBlock(len(text))
	return f.found
}

// finder finds the data of a text, line by line.
type finder struct {
	text    string
	uris    []URI // those that are not found yet
	drawing int   // offset from which on all is a drawing
	found   []data

	run struct { // lines of data
		start, end int // end is 0 if there is none
		lines      int
	}
	fences md.Fences
	block  struct { // the fenced block
		isOpen bool
		info   string
		start  int // offset of its first line
		found  int // number of runs that were found before it
	}
}

// line looks for data in the line from start to end.
func (f *finder) line(start, end int) {
	line := f.text[start:end]
	f.followFences(start, end, line)
	if f.addURIs(end) || f.isInsideFound(start) {
		f.endRun()
		return
	}
	content := strings.TrimRight(strings.TrimLeft(line, " \t>"), " \t\r")
	contentStart := start + len(line) - len(strings.TrimLeft(line, " \t>"))
	switch {
	case isDense(content):
		if f.run.end == 0 {
			f.run.start = contentStart
		}
		f.run.lines++
		f.run.end = contentStart + len(content)
		return
	case f.run.end > 0 && content == "":
		return // drawings have blank lines between their lines
	case f.run.lines > 1 && isRunTail(content):
		f.run.end = contentStart + len(content)
	}
	f.endRun()
	if len(line) >= leastRun {
		f.addWords(start, line)
	}
}

// isRunTail reports whether a line is the last, shorter one of a run: a word with a character that words do not have.
func isRunTail(line string) bool {
	return line != "" && base64Length(line) == len(line) && strings.ContainsAny(line, "0123456789+/=")
}

// endRun adds the lines of data that end here.
func (f *finder) endRun() {
	if f.run.end > 0 && isEncoded(f.text[f.run.start:f.run.end]) {
		f.add(f.run.start, f.run.end)
	}
	f.run.end = 0
	f.run.lines = 0
}

// addURIs adds the data URIs that begin before an offset, and reports whether there are any.
func (f *finder) addURIs(before int) (found bool) {
	for len(f.uris) > 0 && f.uris[0].Start < before {
		u := f.uris[0]
		f.uris = f.uris[1:]
		f.endRun()
		f.found = append(f.found, data{start: u.Start, end: u.End, placeholder: u.Placeholder(), isImage: u.IsImage()})
		found = true
	}
	return found
}

// isInsideFound reports whether an offset is in the data that was found last.
func (f *finder) isInsideFound(at int) bool {
	return len(f.found) > 0 && at < f.found[len(f.found)-1].end
}

// addWords adds the long words of a line that are data.
func (f *finder) addWords(start int, line string) {
	for at := 0; at < len(line); {
		n := strings.IndexAny(line[at:], wordEnd)
		if n < 0 {
			n = len(line) - at
		}
		word := line[at : at+n]
		if len(word) >= leastRun {
			f.addWord(start+at, word)
		}
		at += n + 1
	}
}

// wordEnd are the characters that end a word which may be data.
const wordEnd = " \t\r\"'`()<>[]{}|,;"

// addWord adds a long word if it is data, or else the parts of it that are base64.
func (f *finder) addWord(start int, word string) {
	if isEncoded(word) {
		f.add(start, start+len(word))
		return
	}
	for at := 0; at < len(word); {
		n := base64Length(word[at:])
		if isEncoded(word[at : at+n]) {
			f.add(start+at, start+at+n)
		}
		at += n + 1
	}
}

// add adds a run of data.
func (f *finder) add(start, end int) {
	f.found = append(f.found, data{start: start, end: end, placeholder: placeholder(end - start)})
}

// placeholder returns the text in place of so many bytes.
func placeholder(size int) string { return "[… " + formatSize(size) + " left out]" }

// formatSize formats a number of bytes.
func formatSize(size int) string {
	switch {
	case size < 1000:
		return fmt.Sprintf("%d bytes", size)
	case size < 1e6:
		return fmt.Sprintf("%d kB", (size+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(size)/1e6)
}

// followFences notes where fenced blocks begin and end.
func (f *finder) followFences(start, end int, line string) {
	f.fences.Line(line)
	isOpen := f.fences.Open().Char != 0
	switch {
	case isOpen && !f.block.isOpen:
		f.endRun()
		f.block.isOpen = true
		f.block.info = f.fences.Open().Info
		f.block.start = end + 1
		f.block.found = len(f.found)
	case !isOpen && f.block.isOpen:
		f.endBlock(start)
	}
}

// endBlock ends the fenced block, and adds it as a whole if it is a drawing.
func (f *finder) endBlock(end int) {
	f.endRun()
	if !f.block.isOpen {
		return
	}
	f.block.isOpen = false
	start := min(f.block.start, end)
	content := strings.TrimRight(f.text[start:end], "\n")
	if isDrawing(f.block.info, content) {
		f.found = f.found[:f.block.found]
		f.add(start, start+len(content))
	}
}

// drawingFences are the info strings of fenced blocks that contain a drawing.
var drawingFences = []string{"compressed-json", "handwritten-ink", "handdrawn-ink"}

// drawingMarks are properties that the JSON of a drawing has near its beginning.
var drawingMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"type"\s*:\s*"excalidraw|"tldraw[A-Za-z-]*"\s*:|"plugin-version"[^{}]*"tldraw`)
})

// drawingHead is how much of the JSON of a drawing is looked at.
const drawingHead = 2000

// isDrawing reports whether a fenced block contains a drawing of Excalidraw, tldraw or Ink.
func isDrawing(info, content string) bool {
	if len(content) < smallData {
		return false
	}
	name, _, _ := strings.Cut(info, " ")
	for _, fence := range drawingFences {
		if strings.EqualFold(name, fence) {
			return true
		}
	}
	head := strings.TrimLeft(content[:min(len(content), drawingHead)], " \n!_ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return strings.HasPrefix(head, "{") && drawingMarks().MatchString(head)
}

// drawingNote matches the properties of a note of Excalidraw, and drawingHeading the beginning of its drawing.
var (
	drawingNote    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^excalidraw-plugin[ \t]*:`) })
	drawingHeading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(?:%%\n+)?##? Drawing[ \t]*$`) })
)

// drawingStart returns the offset at which the drawing of a note of Excalidraw begins, the length of the text if it is
// no such note. The text elements and links stand above it.
func drawingStart(text string) int {
	properties, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---")
	isNote := ok && strings.HasPrefix(text, "---\n") && drawingNote().MatchString(properties)
	if !isNote {
		return len(text)
	}
	if at := drawingHeading().FindStringIndex(text); at != nil {
		return at[0]
	}
	return len(text)
}
