package history

import (
	"regexp"
	"strings"
	"time"

	"ibid/vault/md"
)

// Finding the messages. A message begins at a line "**user**: " or "**ai**: ".
// ibid escapes such lines inside messages, so in its files each one is real.
// Other writers escape nothing, so there fences are tracked: inside a fence that
// is closed again, a header is text, unless the line above it is a time stamp,
// with which every message since 2023 ends.

const (
	userHeader = "**user**:"
	aiHeader   = "**ai**:"
	stampOpen  = "[Timestamp: "
)

// span is one message in the text: text[start:end] is everything between its
// header and the next one's line.
type span struct {
	role       Role
	start, end int
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

// mark is a line that matters for the division: a header, a fence, or both.
type mark struct {
	at    int // offset of the line
	role  Role
	text  int  // offset behind the header
	hard  bool // the header is real wherever it stands
	fence md.Fence
	opens bool // a closing fence follows before the next hard header
}

// split divides a body into messages. The text before the first one is body[:first].
func split(body string, escaped bool) (spans []span, first int) {
	marks := scanMarks(body)
	if !escaped {
		pairFences(marks)
	}
	first = len(body)
	var open *mark
	for i := range marks {
		m := &marks[i]
		if m.role != "" && (escaped || m.hard || open == nil) {
			if n := len(spans); n > 0 {
				spans[n-1].end = m.at
			} else {
				first = m.at
			}
			spans = append(spans, span{role: m.role, start: m.text, end: len(body)})
			open = nil
		}
		switch {
		case m.fence.Char == 0 || escaped:
		case open == nil:
			if m.opens {
				open = m
			}
		case m.fence.Closes(open.fence):
			open = nil
		}
	}
	return spans, first
}

// scanMarks finds the lines that matter.
func scanMarks(body string) []mark {
	var marks []mark
	stamped := false // the last line that is not blank is a time stamp
	at := 0
	for line := range strings.SplitAfterSeq(body, "\n") {
		m := mark{at: at}
		at += len(line)
		line = strings.TrimSuffix(line, "\n")
		if role, n := header(line); role != "" {
			m.role, m.text, m.hard = role, m.at+n, stamped
			line = line[n:]
		}
		m.fence = fence(line)
		if m.role != "" || m.fence.Char != 0 {
			marks = append(marks, m)
		}
		if strings.TrimSpace(line) != "" {
			stamped = isStamp(line)
		}
	}
	return marks
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

// pairFences finds which fences are closed again, from the end backwards so that
// it stays linear.
func pairFences(marks []mark) {
	var ticks, tildes int // longest bare fence that follows
	for i := len(marks) - 1; i >= 0; i-- {
		m := &marks[i]
		longest := &ticks
		if m.fence.Char == '~' {
			longest = &tildes
		}
		if m.fence.Char != 0 {
			m.opens = m.fence.Len <= *longest
			if m.fence.Info == "" {
				*longest = max(*longest, m.fence.Len)
			}
		}
		if m.hard {
			ticks, tildes = 0, 0
		}
	}
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

// special reports whether line, without leading backslashes and with or without
// its end, reads as structure.
func special(line string) bool {
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
		if special(line) {
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
		if strings.HasPrefix(line, `\`) && special(line) {
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
