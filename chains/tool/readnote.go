package tool

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"ibid/chains"
	"ibid/chains/calltext"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
)

type readArgs struct {
	NotePath   string
	ChunkIndex int
}

// chunkJSON is a part of a note.
type chunkJSON struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Chunk       int          `json:"chunk"`
	Chunks      int          `json:"chunks"`
	From        int          `json:"from"`
	To          int          `json:"to"`
	Content     string       `json:"content"`
	LinkedNotes []linkedJSON `json:"linkedNotes"`
}

type linkedJSON struct {
	Target string `json:"target"`
	ID     string `json:"id,omitempty"`
	Exists bool   `json:"exists"`
}

// Limits of a chunk.
const (
	chunkLines = 200
	chunkRunes = 16_000
	chunkBack  = 60 // lines before the end that are searched for a heading or a blank line
	maxLinked  = 30
)

func (o Options) readNote(ctx context.Context, a readArgs) chains.ToolOutput {
	n, sub, wrong := o.findPart(ctx, a.NotePath, vault.ToRead)
	var text vault.Text
	var from, to int
	if wrong == nil {
		text, wrong = o.read(n.Path)
	}
	if wrong == nil {
		from, to, wrong = section(&text, sub)
	}
	if wrong != nil {
		wrong.what = map[string]string{
			"Note not found": "not_found", "Ambiguous reference": "not_unique",
			"Part not found": "part_not_found", "Not a note": "not_a_note",
		}[wrong.what]
		return wrong.output()
	}
	list := chunks(legible.Lines(text.Content), text.Note, from, to)
	index, skip := a.ChunkIndex%len(list), a.ChunkIndex/len(list)
	c, ok := list[index].skipRunes(skip)
	if !ok {
		return chains.ToolOutput{Text: calltext.JSON(struct {
			result
			Chunks int `json:"chunks"`
		}{
			result{Error: "invalid_chunk_index", Message: fmt.Sprintf("the note has %d chunks, from 0", len(list))},
			len(list),
		}), Note: "invalid_chunk_index"}
	}
	data := chunkJSON{
		ID: string(n.Path), Title: n.Title, Chunk: a.ChunkIndex, Chunks: len(list), From: c.from,
		To: c.to, Content: c.text, LinkedNotes: []linkedJSON{},
	}
	seen := map[string]bool{}
	for link := range text.Note.Links() {
		if link.Line < c.from || link.Line > c.to || link.Target == "" || seen[link.Target] || len(seen) == maxLinked {
			continue
		}
		seen[link.Target] = true
		to, _ := o.target(link, n.Path)
		data.LinkedNotes = append(data.LinkedNotes, linkedJSON{Target: link.Target, ID: string(to), Exists: to != ""})
	}
	source := chains.Source{Path: data.ID, From: c.from, To: c.to, Revision: o.Revision(n.Path)}
	return chains.ToolOutput{
		Text: success(data, fmt.Sprintf("chunk %d of %d", a.ChunkIndex, len(list))),
		Rest: func(shown int) string {
			if shown < minSkip {
				shown = 0
			}
			return fmt.Sprintf("chunk %d", index+len(list)*(skip+shown))
		},
		Note:    fmt.Sprintf("%s, lines %d-%d", md.Clip(data.ID, maxRemark-30), c.from, c.to),
		Sources: []chains.Source{source},
	}
}

// read reads a note for a model. It treats one that has become private as missing.
func (o *Options) read(p vault.Path) (vault.Text, *mistake) {
	text, err := o.Vault.Read(p)
	switch {
	case err != nil:
		return text, newMistake("Note not found", "it cannot be read: "+err.Error())
	case text.Note.Private:
		return vault.Text{}, newMistake("Note not found", "it cannot be read now")
	}
	return text, nil
}

// chunk is a part of a text.
type chunk struct {
	from, to int // lines, 1-based and inclusive
	text     string
}

// minSkip is the smallest number of characters that behind skips.
const minSkip = 100

// skipRunes returns the chunk without its first skip characters. If only s characters of chunk i of n were returned,
// the number of the rest is i+n*s.
func (c chunk) skipRunes(skip int) (chunk, bool) {
	text := []rune(c.text)
	if skip > 0 && skip < minSkip || skip > 0 && skip >= len(text) {
		return c, false
	}
	c.from += strings.Count(string(text[:skip]), "\n")
	c.text = string(text[skip:])
	return c, true
}

// chunks splits lines of a text into parts of at most 200 lines and 16,000 characters, preferably before a heading
// or after a blank line. It cuts a longer line into several parts.
func chunks(text string, n *vault.Note, from, to int) []chunk {
	heading := map[int]bool{}
	for _, h := range n.Headings {
		heading[h.Line] = true
	}
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	lines = lines[:min(to, len(lines))]
	var list []chunk
	for first := from - 1; first < len(lines); {
		end, runes := first, 0
		for end < len(lines) && end-first < chunkLines {
			size := utf8.RuneCountInString(lines[end])
			if runes += size; runes > chunkRunes {
				break
			}
			end++
		}
		if end == first { // the line alone is too long
			r := []rune(lines[first])
			list = append(list, chunk{first + 1, first + 1, string(r[:chunkRunes])})
			lines[first] = string(r[chunkRunes:])
			continue
		}
		if end < len(lines) {
			end = cutBefore(lines, heading, first, end)
		}
		list = append(list, chunk{first + 1, end, strings.Join(lines[first:end], "")})
		first = end
	}
	return list
}

// cutBefore returns the best line to begin the next chunk with, at or shortly before end.
func cutBefore(lines []string, heading map[int]bool, first, end int) int {
	blank := 0
	for i := end; i > max(end-chunkBack, first); i-- {
		if heading[i+1] {
			return i
		}
		if blank == 0 && strings.TrimSpace(lines[i-1]) == "" {
			blank = i
		}
	}
	if blank > 0 {
		return blank
	}
	return end
}
