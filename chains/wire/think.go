package wire

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"

	"ibid/chains"
	"ibid/vault/md"
)

// SplitThinking returns m with reasoning in tags handed out as Delta.Reasoning. Every reply of m ends with
// Delta.Finish or an error.
func SplitThinking(m chains.Model) chains.Model { return &thinking{model: m} }

type thinking struct {
	model chains.Model
	bare  atomic.Bool // a reply began with reasoning without an opening tag
}

// bareModels match model families whose templates contain the opening tag, so that a server which does not know
// them sends a reply without it.
var bareModels = Pattern(`(?i)(^|[-/_.:])(deepseek-r1|r1|qwq|thinking)([-_.:]|$)`)

// Stream implements chains.Model.
func (m *thinking) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		split := thinkSplitter{Bare: m.bare.Load() || bareModels().MatchString(r.Model)}
		var end endMarks
		for d, err := range m.model.Stream(ctx, r) {
			if d.Reasoning != "" {
				split.Bare = false // the server separates the reasoning
			}
			said, thought := split.Add(d.Text)
			if err != nil || d.Finish != "" {
				s, t := split.Close()
				said, thought = said+s, thought+t
			}
			end.inAnswer = split.inAnswer
			if d.Thought = split.Took(); d.Thought {
				thought = end.rest() + thought
				m.bare.Store(true)
			}
			d.Text, d.Reasoning = end.add(said), d.Reasoning+thought
			switch {
			case err != nil:
				d.Text += end.rest()
			case d.Finish != "":
				d.Text += end.close()
			}
			if !isEmpty(d) && !yield(d, nil) {
				return
			}
			if err != nil {
				yield(chains.Delta{}, err)
				return
			}
		}
	}
}

func isEmpty(d chains.Delta) bool {
	return d.Text == "" && d.Reasoning == "" && d.Notice == "" && d.Usage == nil && d.Finish == "" &&
		len(d.ToolCalls) == 0 && !d.Thought
}

// blank may surround a block of reasoning, at most maxBlank bytes of it before one.
const (
	blank    = " \t\r\n"
	maxBlank = 4 << 10
)

// tags are the marks at the beginning and end of reasoning. A mark without an end only labels the text after it. The
// last ones are those of Gemma, Cohere, OpenThinker and Apertus.
var tags = []struct{ open, shut string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
	{"<|channel|>analysis<|message|>", channelEnd},
	{"<|start|>assistant<|channel|>analysis<|message|>", channelEnd},
	{"<|channel|>commentary<|message|>", channelEnd},
	{"<|start|>assistant<|channel|>commentary<|message|>", channelEnd},
	{"<|channel|>final<|message|>", ""},
	{"<|start|>assistant<|channel|>final<|message|>", ""},
	{"<|channel>thought", "<channel|>"},
	{"<|START_THINKING|>", "<|END_THINKING|>"},
	{"<|START_RESPONSE|>", ""},
	{"<|START_TEXT|>", ""},
	{"<|begin_of_thought|>", "<|end_of_thought|>"},
	{"<|begin_of_solution|>", ""},
	{"<|inner_prefix|>", "<|inner_suffix|>"},
	{answerTag, ""},
}

// answerTag labels the reply of some models after a block of reasoning. Elsewhere it is text, which a person may have
// asked for.
const answerTag = "<answer>"

// bareTag ends reasoning that began without a tag.
const bareTag = "</think>"

// thinkSplitter separates reasoning in tags from the reply. It looks for it at the beginning of a reply, and where
// a reply continues right after such a block. Elsewhere the tags are text of the reply, for instance if it explains
// them; but a closing tag without an opening one means that everything before it was reasoning. The result does not
// depend on how the text is cut. The zero value is ready for one reply.
type thinkSplitter struct {
	Bare bool // the reply begins with reasoning without a tag; if no tag ends it, it is text

	held        string // text that is not decided yet
	endTag      string // end of the open block, "" outside of blocks
	seen        bool   // a block came: blank space after it is not part of the reply
	plain       bool   // the reply has begun: no more blocks
	bare        []byte // the block so far, if it has no opening tag
	wasThinking bool
	inAnswer    bool // the reply has begun with answerTag

	code   md.Fences // fences in the lines of the reply
	line   string    // beginning of the current line
	ticks  bool      // inside of backquotes in the line
	end    string    // last bytes that were handed out
	tagged bool      // no closing tag is looked for any more
}

// Took reports, once, whether the text that was returned as said until the last Add was reasoning.
func (s *thinkSplitter) Took() bool {
	was := s.wasThinking
	s.wasThinking = false
	return was
}

// Add takes the next piece of a reply and returns the text and the reasoning that are decided.
func (s *thinkSplitter) Add(text string) (said, thought string) {
	s.held += text
	for {
		switch {
		case s.plain:
			words, found := s.read()
			if !found {
				return words, thought
			}
			thought += words
			continue
		case s.endTag == "":
			if !s.open() {
				return "", thought
			}
			continue
		}
		inside, rest, closed := cutEnd(s.held, s.endTag)
		if s.Bare {
			s.bare = append(s.bare, inside...)
		}
		thought, s.held = thought+inside, rest
		if !closed {
			return "", thought
		}
		s.endTag, s.Bare, s.bare = "", false, nil
	}
}

// channelEnd ends a channel. The beginning of the next channel ends it, too.
const channelEnd = "<|end|>"

// cutEnd cuts text at the end of its block. rest is the text after the tag, or begins with the next channel. If
// there is no end, rest is the part that may be the beginning of one.
func cutEnd(text, shut string) (inside, rest string, closed bool) {
	ends := []string{shut}
	if shut == channelEnd {
		ends = append(ends, "<|channel|>", "<|start|>")
	}
	at := len(text)
	for _, end := range ends {
		i := strings.Index(text, end)
		switch start := tagStart(text, end); {
		case i >= 0 && (!closed || i < at):
			at, rest, closed = i, text[i:], true
		case !closed && len(start) > len(rest):
			at, rest = len(text)-len(start), start
		}
	}
	if closed {
		rest = strings.TrimPrefix(rest, shut)
	}
	return text[:at], rest, closed
}

// tagStart returns the longest suffix of text that is a proper prefix of tag.
func tagStart(text, tag string) string {
	keep := min(len(tag)-1, len(text))
	for !strings.HasSuffix(text, tag[:keep]) {
		keep--
	}
	return text[len(text)-keep:]
}

// read returns the decided text of the reply. found reports a closing tag without an opening one: then these words,
// and all that was returned before, were reasoning.
func (s *thinkSplitter) read() (words string, found bool) {
	if s.seen || s.tagged {
		words, s.held = s.held, ""
		return words, false
	}
	all := s.held
	for s.held != "" && !s.tagged {
		line, _, whole := strings.Cut(s.held, "\n")
		at, after, maybe := findClosingTag(line)
		next := len(line)
		switch {
		case at >= 0 && s.isRealTag(line[:at]):
			s.wasThinking, s.tagged, s.seen, s.plain = true, true, true, false
			words = all[:len(all)-len(s.held)+at]
			s.held = s.held[after:]
			return words, true
		case at >= 0:
			next, whole = after, false
		case !whole:
			next -= maybe
		}
		s.track(line[:next])
		if whole {
			next++
			s.code.Line(s.line)
			s.line, s.ticks = "", false
		}
		s.held = s.held[next:]
		if !whole && at < 0 {
			break
		}
	}
	return all[:len(all)-len(s.held)], false
}

// findClosingTag finds the first tag in line that ends reasoning: its start, -1 if there is none, and its end. maybe is
// the number of bytes at the end of line with which a tag may begin.
func findClosingTag(line string) (at, after, maybe int) {
	at = -1
	for _, t := range tags {
		if t.shut == "" || t.shut == channelEnd {
			continue
		}
		if i := strings.Index(line, t.shut); i >= 0 && (at < 0 || i < at) {
			at, after = i, i+len(t.shut)
		}
		maybe = max(maybe, len(tagStart(line, t.shut)))
	}
	return at, after, maybe
}

// hasOpeningTag reports whether text contains a tag that begins reasoning. Its last character may be missing,
// because the tag could have attributes.
func hasOpeningTag(text string) bool {
	for _, t := range tags {
		if t.shut != "" && t.shut != channelEnd && strings.Contains(text, t.open[:len(t.open)-1]) {
			return true
		}
	}
	return false
}

// maxOpen is the length of the longest tag that opens looks for, in bytes.
const maxOpen = len("<|begin_of_thought|>")

// lineStart limits the bytes of a line that show whether it begins or ends code.
const lineStart = 80

// track records a piece of a line that is handed out.
func (s *thinkSplitter) track(piece string) {
	s.ticks = s.ticks != (strings.Count(piece, "`")%2 == 1)
	s.end += piece
	s.tagged = hasOpeningTag(s.end)
	s.end = s.end[max(0, len(s.end)-maxOpen):]
	s.line += piece[:min(len(piece), max(0, lineStart-len(s.line)))]
}

// isRealTag reports whether a tag after this piece of the line is a real tag, and not one that the reply talks about.
func (s *thinkSplitter) isRealTag(piece string) bool {
	line := s.line + piece
	return s.ticks == (strings.Count(piece, "`")%2 == 1) && !hasOpeningTag(s.end+piece) &&
		!s.code.Inside(line[:min(len(line), lineStart)])
}

// Close returns the rest. A block that was not closed is reasoning, unless it had no opening tag.
func (s *thinkSplitter) Close() (said, thought string) {
	was := *s
	*s = thinkSplitter{wasThinking: was.wasThinking, inAnswer: was.inAnswer}
	switch {
	case was.endTag != "" && was.Bare:
		return string(was.bare) + was.held, ""
	case was.endTag != "":
		return "", was.held
	case was.seen && !was.plain:
		return strings.TrimLeft(was.held, blank), ""
	}
	return was.held, ""
}

// open decides what follows outside of blocks: another block or the reply. It returns false while that is
// undecided.
func (s *thinkSplitter) open() bool {
	body := strings.TrimLeft(s.held, blank)
	if s.seen {
		s.held = body
	}
	if len(s.held)-len(body) > maxBlank {
		s.plain = true
		return true
	}
	undecided := body == ""
	for _, t := range tags {
		if t.open == answerTag && !s.seen {
			continue
		}
		if strings.HasPrefix(body, t.open) {
			s.endTag, s.held, s.seen, s.Bare = t.shut, body[len(t.open):], true, false
			s.inAnswer = s.inAnswer || t.open == answerTag
			return true
		}
		undecided = undecided || strings.HasPrefix(t.open, body)
	}
	switch {
	case undecided:
		return false
	case s.Bare:
		s.endTag, s.seen = bareTag, true
		return true
	}
	s.plain = true
	return true
}
