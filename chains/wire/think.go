package wire

import (
	"context"
	"iter"
	"strings"

	"ibid/chains"
)

// SplitThinking is m with thinking in tags handed out as reasoning.
func SplitThinking(m chains.Model) chains.Model { return thinking{m} }

type thinking struct{ model chains.Model }

// Stream implements chains.Model.
func (m thinking) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		var split ThinkSplitter
		for d, err := range m.model.Stream(ctx, r) {
			said, thought := split.Add(d.Text)
			if err != nil || d.Finish != "" {
				s, t := split.Close()
				said, thought = said+s, thought+t
			}
			d.Text, d.Reasoning = said, d.Reasoning+thought
			if err != nil {
				if !empty(d) && !yield(d, nil) {
					return
				}
				d = chains.Delta{}
			} else if empty(d) {
				continue
			}
			if !yield(d, err) {
				return
			}
		}
		if said, thought := split.Close(); said+thought != "" {
			yield(chains.Delta{Text: said, Reasoning: thought}, nil)
		}
	}
}

func empty(d chains.Delta) bool {
	return d.Text == "" && d.Reasoning == "" && d.Notice == "" && d.Usage == nil && d.Finish == "" && len(d.ToolCalls) == 0
}

// blank is what may stand around a block.
const blank = " \t\r\n"

// ThinkSplitter parts reasoning in tags from the reply around it: <think>,
// <thinking> and <thought> at the beginning of a reply, or where a reply goes
// on right after such a block. Elsewhere the tags are words of the reply, as
// when it explains them. Text may be cut anywhere; how it is cut changes
// nothing. The zero value is ready for one reply.
type ThinkSplitter struct {
	held  string // not decided yet
	tag   string // the block that is open, "" outside
	seen  bool   // a block came: blank space after it is not part of the reply
	plain bool   // the reply has begun: no more blocks
}

// Add takes the next piece of a reply's text and gives what is decided by it.
func (s *ThinkSplitter) Add(text string) (said, thought string) {
	s.held += text
	for !s.plain {
		if s.tag == "" {
			if !s.open() {
				return "", thought
			}
			continue
		}
		shut := "</" + s.tag + ">"
		inside, rest, closed := strings.Cut(s.held, shut)
		if !closed { // what could be the beginning of the closing tag is held back
			keep := min(len(shut)-1, len(s.held))
			for !strings.HasSuffix(s.held, shut[:keep]) {
				keep--
			}
			inside, rest = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
		}
		thought, s.held = thought+inside, rest
		if !closed {
			return "", thought
		}
		s.tag = ""
	}
	said, s.held = s.held, ""
	return said, thought
}

// Close gives what was held back. A block that was never closed is reasoning.
func (s *ThinkSplitter) Close() (said, thought string) {
	was := *s
	*s = ThinkSplitter{}
	switch {
	case was.tag != "":
		return "", was.held
	case was.seen:
		return strings.TrimLeft(was.held, blank), ""
	}
	return was.held, ""
}

// open decides what comes outside of blocks: another block or the reply. It is
// false while that is undecided.
func (s *ThinkSplitter) open() bool {
	body := strings.TrimLeft(s.held, blank)
	undecided := body == ""
	for _, tag := range []string{"think", "thinking", "thought"} {
		open := "<" + tag + ">"
		if strings.HasPrefix(body, open) {
			s.tag, s.held, s.seen = tag, body[len(open):], true
			return true
		}
		undecided = undecided || strings.HasPrefix(open, body)
	}
	if s.plain = !undecided; s.plain && s.seen {
		s.held = body
	}
	return s.plain
}
