package history

import (
	"iter"
	"regexp"
	"strings"
	"time"

	"ibid/vault/md"
)

// Finding the messages. A message begins at a line "**user**: " or "**ai**: ".
// ibid escapes such lines inside messages, so that in what it wrote each one is
// real. Other writers escape nothing, but end every message with a time stamp: in
// a text with stamps, a header is real only below one. In older texts without
// stamps, a header inside a code fence is text.

const (
	userHeader = "**user**:"
	aiHeader   = "**ai**:"
	stampOpen  = "[Timestamp: "
)

// span is one message in the text: its header's line begins at start, its text
// at text.
type span struct {
	role             Role
	start, text, end int
	foreign          bool // another program wrote it
}

// header reports whether line begins a message and how long the header is. The
// space after the colon may be missing where an editor cut it off.
func header(line string) (role Role, n int) {
	switch {
	case strings.HasPrefix(line, userHeader):
		role, n = User, len(userHeader)
	case strings.HasPrefix(line, aiHeader):
		role, n = Assistant, len(aiHeader)
	default:
		return "", 0
	}
	rest := line[n:]
	if rest == "" || rest == "\r" {
		return role, n
	}
	if rest[0] == ' ' {
		return role, n + 1
	}
	return "", 0
}

// split divides a body into messages. Up to its n-th line that reads as a header
// another program wrote it. The text before the first message is body[:first].
func split(body string, n int) (spans []span, first int) {
	border := len(body)
	if n < len(body) {
		for h := range headers(body) {
			if n--; n < 0 {
				border = h.start
				break
			}
		}
	}
	stamped := hasStamp(body[:border])
	var code []span
	if !stamped {
		code = closedFences(body[:border])
	}
	for h := range headers(body) {
		if h.start < border {
			h.foreign = true
			for len(code) > 0 && code[0].end <= h.start {
				code = code[1:]
			}
			switch bare := body[h.text-1] == ':'; {
			case len(spans) == 0:
			case stamped && !belowStamp(body[:h.start]), !stamped && (bare || len(code) > 0 && code[0].start < h.start):
				continue
			}
		}
		if n := len(spans); n > 0 {
			spans[n-1].end = h.start
		}
		h.end = len(body)
		spans = append(spans, h)
	}
	if len(spans) == 0 {
		return nil, len(body)
	}
	return spans, spans[0].start
}

// headers yields the lines that read as headers.
func headers(body string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for at := 0; ; {
			line, _, _ := strings.Cut(body[at:], "\n")
			if role, n := header(line); role != "" && !yield(span{role: role, start: at, text: at + n}) {
				return
			}
			next := strings.Index(body[at:], "\n**")
			if next < 0 {
				return
			}
			at += next + 1
		}
	}
}

// stampLine reports whether line is a time stamp of any kind.
func stampLine(line string) bool {
	return strings.HasPrefix(line, stampOpen) && strings.HasSuffix(strings.TrimRight(line, " \t\r"), "]")
}

// hasStamp reports whether a line of the text is a time stamp.
func hasStamp(text string) bool {
	for {
		i := strings.Index(text, stampOpen)
		if i < 0 {
			return false
		}
		line, rest, _ := strings.Cut(text[i:], "\n")
		if (i == 0 || text[i-1] == '\n') && stampLine(line) {
			return true
		}
		text = rest
	}
}

// belowStamp reports whether the last line that is not blank is a time stamp.
func belowStamp(text string) bool {
	_, line := lastLine(text)
	return stampLine(line)
}

// fence is the code fence that line is, if it is one.
func fence(line string) md.Fence {
	columns, n := md.Indent(line)
	f, _ := md.FenceOf(line[n:])
	if columns > 3 {
		return md.Fence{}
	}
	return f
}

// closedFences finds the code fences that are closed, from the first line of each to
// the start of the last.
func closedFences(text string) []span {
	var all []span
	var open md.Fence
	var opened int
	for pos := 0; pos < len(text); {
		line, _, _ := strings.Cut(text[pos:], "\n")
		_, n := header(line)
		f := fence(line[n:])
		switch {
		case f.Char == 0:
		case open.Char == 0:
			open, opened = f, pos
		case f.Closes(open):
			all = append(all, span{start: opened, end: pos})
			open = md.Fence{}
		}
		pos += len(line) + 1
	}
	return all
}

// Time stamps. ibid and Copilot write the first layout; the others are what
// people, plugins and older versions wrote.

const stampLayout = "2006/01/02 15:04:05"

var stampLayouts = []string{
	stampLayout, "2006-01-02 15:04:05", time.RFC3339, "2006/1/2 15:04:05", "2006/01/02 15:04", "2006-01-02 15:04",
	"2006-01-02T15:04:05", "1/2/2006, 3:04:05 PM", "1/2/2006 3:04:05 PM", "1/2/2006, 15:04:05", "2006/01/02", "2006-01-02",
	"Mon Jan 2 2006 15:04:05 GMT-0700", "Jan 2, 2006 15:04:05", "January 2, 2006 15:04:05", time.RFC1123, time.RFC1123Z,
}

// unknownTime stands where a message has no time.
const unknownTime = "Unknown time"

// stampText is what a time stamp line holds.
func stampText(line string) string {
	s := strings.TrimPrefix(strings.TrimRight(line, " \t\r"), stampOpen)
	if i := strings.LastIndexByte(s, ']'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// parseStamp reads a time as wall time of zone where it names none; zero for what
// is no time.
func parseStamp(s string, zone *time.Location) time.Time {
	if len(s) < 8 || len(s) > 64 {
		return time.Time{}
	}
	s, _, _ = strings.Cut(s, " (") // JavaScript adds the zone's name
	for _, layout := range stampLayouts {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t
		}
	}
	return time.Time{}
}

// isStamp reports whether line is a complete time stamp line that a program has
// written.
func isStamp(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	if !strings.HasPrefix(line, stampOpen) || !strings.HasSuffix(line, "]") {
		return false
	}
	s := stampText(line)
	return s == unknownTime || s == "undefined" || !parseStamp(s, time.UTC).IsZero()
}

// Escapes. A line that would be read as a header or as metadata gets a backslash
// before it, and one that begins with backslashes before such a thing gets one
// more, so that taking one away restores every line.

// readsAsStructure reports whether line, without leading backslashes and with or without
// its end, reads as structure.
func readsAsStructure(line string) bool {
	line = strings.TrimLeft(line, `\`)
	if strings.HasPrefix(line, stampOpen) || strings.HasPrefix(line, contextOpen) {
		return true
	}
	role, _ := header(strings.TrimSuffix(line, "\n"))
	return role != ""
}

// appendEscaped writes text with its special lines escaped.
func appendEscaped(b []byte, text string) []byte {
	if !mayBeSpecial(text) {
		return append(b, text...)
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		if readsAsStructure(line) {
			b = append(b, '\\')
		}
		b = append(b, line...)
	}
	return b
}

func mayBeSpecial(text string) bool {
	return strings.Contains(text, stampOpen) || strings.Contains(text, contextOpen) ||
		strings.Contains(text, userHeader) || strings.Contains(text, aiHeader)
}

// unescape takes the backslashes away again.
func unescape(text string) string {
	if !strings.Contains(text, `\`) || !mayBeSpecial(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(line, `\`) && readsAsStructure(line) {
			line = line[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// Markers that Copilot put into replies while it showed tools and reasoning.
var (
	toolMarker      = regexp.MustCompile(`(?s)<!--TOOL_CALL_START:.*?-->.*?<!--TOOL_CALL_END:.*?-->`)
	reasoningMarker = regexp.MustCompile(`(?s)<!--AGENT_REASONING:.*?-->\n*`)
	manyNewlines    = regexp.MustCompile(`\n{3,}`)
)

// foreignReply cleans a reply that Copilot saved, the way Copilot shows it.
func foreignReply(text string) string {
	if strings.Contains(text, "<!--TOOL_CALL_START:") {
		text = toolMarker.ReplaceAllString(text, "")
	}
	if at := reasoningMarker.FindStringIndex(text); at != nil {
		text = text[:at[0]] + text[at[1]:]
	}
	return strings.TrimSpace(manyNewlines.ReplaceAllString(text, "\n\n"))
}

// What stands around the thinking in front of a reply, as Copilot saves it, which
// folds it.
const (
	thoughtOpen  = "<think>\n"
	thoughtClose = "\n</think>\n\n"
)

// withThought is a reply as it is written, with the thinking in front of it.
func withThought(thought, reply string) string {
	if thought == "" {
		return reply
	}
	return thoughtOpen + strings.ReplaceAll(thought, "</think>", "</ think>") + thoughtClose + reply
}

// cutThought parts a reply from the thinking that withThought has put in front of it.
func cutThought(text string) (thought, reply string) {
	if rest, ok := strings.CutPrefix(text, thoughtOpen); ok {
		if thought, reply, ok := strings.Cut(rest, thoughtClose); ok {
			return thought, reply
		}
	}
	return "", text
}

// ownReply is a reply as it is written: without the reasoning marker that a
// conversation taken over from Copilot may begin with.
func ownReply(text string) string {
	if !strings.HasPrefix(text, "<!--AGENT_REASONING:") {
		return text
	}
	if at := reasoningMarker.FindStringIndex(text); at != nil && at[0] == 0 {
		return text[at[1]:]
	}
	return text
}
