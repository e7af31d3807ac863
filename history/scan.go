package history

import (
	"iter"
	"regexp"
	"strings"
	"time"

	"ibid/vault/md"
)

// Finding the messages. A message begins at a line "**user**: " or "**ai**: ". ibid escapes such lines inside
// messages, so in its texts every one is a header. Other programs do not escape, but end every message with a
// time stamp: in a text with stamps, only a line below one is a header. In older texts without stamps, such a
// line inside a code fence is text.

const (
	userHeader = "**user**:"
	aiHeader   = "**ai**:"
	stampOpen  = "[Timestamp: "
)

// span is one message in the text: its header line begins at start, its text at text.
type span struct {
	role             Role
	start, text, end int
	foreign          bool // another program wrote it
}

// parseHeader returns the role and the length of the header that line begins with, "" and 0 if there is none. The
// space after the colon may be missing where an editor cut it off.
func parseHeader(line string) (role Role, n int) {
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

// splitMessages splits a body into messages. Another program wrote the part up to the n-th line that reads as a header.
// The text before the first message is body[:first].
func splitMessages(body string, n int) (spans []span, first int) {
	border := len(body)
	if n < len(body) {
		for h := range headerLines(body) {
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
	for h := range headerLines(body) {
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

// headerLines yields the lines that read as headers; end is not set.
func headerLines(body string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for at := 0; ; {
			line, _, _ := strings.Cut(body[at:], "\n")
			if role, n := parseHeader(line); role != "" && !yield(span{role: role, start: at, text: at + n}) {
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

// stampLine reports whether line is a time stamp, with any content.
func stampLine(line string) bool {
	return strings.HasPrefix(line, stampOpen) && strings.HasSuffix(strings.TrimRight(line, " \t\r"), "]")
}

// hasStamp reports whether a line of the text is a time stamp.
func hasStamp(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if stampLine(line) {
			return true
		}
	}
	return false
}

// belowStamp reports whether the last line that is not blank is a time stamp.
func belowStamp(text string) bool {
	_, line := lastLine(text)
	return stampLine(line)
}

// parseFence returns the code fence in line, the zero Fence if there is none.
func parseFence(line string) md.Fence {
	columns, n := md.Indent(line)
	f, _ := md.FenceOf(line[n:])
	if columns > 3 {
		return md.Fence{}
	}
	return f
}

// closedFences returns the code fences that are closed, each from the start of its first line to the start of
// its last.
func closedFences(text string) []span {
	var all []span
	var open md.Fence
	var opened int
	for pos := 0; pos < len(text); {
		line, _, _ := strings.Cut(text[pos:], "\n")
		_, n := parseHeader(line)
		f := parseFence(line[n:])
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

// Time stamps. ibid and Copilot write the first layout; people, plugins and older versions wrote the others.

const stampLayout = "2006/01/02 15:04:05"

var stampLayouts = []string{
	stampLayout, "2006-01-02 15:04:05", time.RFC3339, "2006/1/2 15:04:05", "2006/01/02 15:04", "2006-01-02 15:04",
	"2006-01-02T15:04:05", "1/2/2006, 3:04:05 PM", "1/2/2006 3:04:05 PM", "1/2/2006, 15:04:05",
	"2006/01/02", "2006-01-02",
	"Mon Jan 2 2006 15:04:05 GMT-0700", "Jan 2, 2006 15:04:05", "January 2, 2006 15:04:05", time.RFC1123, time.RFC1123Z,
}

// unknownTime is the content of the stamp of a message without time.
const unknownTime = "Unknown time"

// stampText returns the content of a time stamp line.
func stampText(line string) string {
	s := strings.TrimPrefix(strings.TrimRight(line, " \t\r"), stampOpen)
	if i := strings.LastIndexByte(s, ']'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// parseStamp parses the content of a stamp, in zone if it names none. It returns the zero time if s is no time.
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

// isStamp reports whether line is a complete time stamp line with content that a program writes.
func isStamp(line string) bool {
	s := stampText(line)
	return stampLine(line) && (s == unknownTime || s == "undefined" || !parseStamp(s, time.UTC).IsZero())
}

// Escapes. A line that would read as a header or as metadata gets a backslash before it, and so does one that
// begins with backslashes before such text, so that removing one backslash restores every line.

// readsAsStructure reports whether line, without leading backslashes and with or without its line end, reads as
// a header or as metadata.
func readsAsStructure(line string) bool {
	line = strings.TrimLeft(line, `\`)
	if strings.HasPrefix(line, stampOpen) || strings.HasPrefix(line, contextOpen) {
		return true
	}
	role, _ := parseHeader(strings.TrimSuffix(line, "\n"))
	return role != ""
}

// appendEscaped appends text with its special lines escaped.
func appendEscaped(b []byte, text string) []byte {
	for line := range strings.SplitAfterSeq(text, "\n") {
		if readsAsStructure(line) {
			b = append(b, '\\')
		}
		b = append(b, line...)
	}
	return b
}

// unescape removes the backslashes that appendEscaped added.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text // a copy would take memory
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

// Markers that Copilot added to replies while it displayed tools and reasoning.
var (
	toolMarker      = regexp.MustCompile(`(?s)<!--TOOL_CALL_START:.*?-->.*?<!--TOOL_CALL_END:.*?-->`)
	reasoningMarker = regexp.MustCompile(`(?s)<!--AGENT_REASONING:.*?-->\n*`)
	manyNewlines    = regexp.MustCompile(`\n{3,}`)
)

// foreignReply returns a reply that Copilot saved as Copilot shows it.
func foreignReply(text string) string {
	if strings.Contains(text, "<!--TOOL_CALL_START:") {
		text = toolMarker.ReplaceAllString(text, "")
	}
	if at := reasoningMarker.FindStringIndex(text); at != nil {
		text = text[:at[0]] + text[at[1]:]
	}
	return strings.TrimSpace(manyNewlines.ReplaceAllString(text, "\n\n"))
}

// The tags around the thinking in front of a reply, as Copilot saves it; Copilot shows such text folded.
const (
	thoughtOpen  = "<think>\n"
	thoughtClose = "\n</think>\n\n"
)

// withThought returns the text of a reply in the file: with the thinking in front of it.
func withThought(thought, reply string) string {
	if thought == "" {
		return reply
	}
	return thoughtOpen + strings.ReplaceAll(thought, "</think>", "</ think>") + thoughtClose + reply
}

// cutThought splits a reply and the thinking that withThought has put in front of it.
func cutThought(text string) (thought, reply string) {
	if rest, ok := strings.CutPrefix(text, thoughtOpen); ok {
		if thought, reply, ok := strings.Cut(rest, thoughtClose); ok {
			return thought, reply
		}
	}
	return "", text
}

// ownReply returns the text of a reply in the file, without the reasoning marker that a conversation from
// Copilot may begin with.
func ownReply(text string) string {
	if at := reasoningMarker.FindStringIndex(text); at != nil && at[0] == 0 {
		return text[at[1]:]
	}
	return text
}
