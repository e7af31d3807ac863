package prompt

import (
	"strconv"
	"strings"
)

// This file writes every byte that the engine adds to foreign text. The rules:
//
//   - line ends are LF, and no layer ends with one;
//   - paths and titles are escaped in their tags, list lines hold them as they are, on one line;
//   - text that comes from elsewhere is valid UTF-8 with LF before it is written;
//   - a body that contains one of our tags cannot end its block or fake another:
//     the tag gets a backslash after its "<", the same in every rendering;
//   - nothing is parsed back: what is in a request is known from the values it was made of.

const (
	libraryHeading = "## Context Library"
	listHeading    = "Context attached to this message:"
	findInSystem   = "Find them in the Context Library in the system prompt above."
	findAbove      = "Find them in the Context Library or the messages above."
	queryLabel     = "[User query]:"
	ruler          = "---"
	toolHeading    = "# Additional context:"
	notesHeading   = "RECENT NOTES TO SELF:"
)

// ownTags are the names of all tags that the engine and its callers write
// around foreign text.
var ownTags = map[string]bool{
	"note_context": true, "active_note": true, "selected_text": true, "url_content": true, "dataview_block": true,
	"note_update": true, "title": true, "path": true, "content": true, "outline": true, "diff": true, "url": true,
	"start_line": true, "end_line": true, "query_type": true, "original_query": true, "executed_result": true,
	"project_system_prompt": true, "project_context": true, "user_memory": true, "guidance": true,
}

// escapeBody puts a backslash after the "<" of every one of our tags in s,
// opening or closing, in any case. Text without such a tag comes back as it is,
// without a copy.
func escapeBody(s string) string { return escapeTags(s, ownTags) }

func escapeTags(s string, names map[string]bool) string {
	var b strings.Builder
	done := 0
	for i := strings.IndexByte(s, '<'); i >= 0; {
		if isTag(s[i+1:], names) {
			b.WriteString(s[done : i+1])
			b.WriteByte('\\')
			done = i + 1
		}
		next := strings.IndexByte(s[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// isTag reports whether s, the text after a "<", starts with one of these
// names, opening or closing.
func isTag(s string, names map[string]bool) bool {
	i := 0
	for i < len(s) && (s[i] == '/' || s[i] == ' ') && i < 4 {
		i++
	}
	start := i
	for i < len(s) && i-start < 64 && (s[i] == '_' || s[i] == '-' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	return i > start && names[strings.ToLower(s[start:i])]
}

var attribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ", "\r", " ")

// clean makes a path, a title or an attribute fit to be written: valid UTF-8, no NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// oneLine keeps a path or a title on the line that it is printed on.
func oneLine(s string) string {
	s = escapeBody(clean(s))
	if !strings.ContainsAny(s, "\n\r") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func child(b *strings.Builder, tag, value string) {
	b.WriteString("<" + tag + ">" + attribute.Replace(clean(value)) + "</" + tag + ">\n")
}

func body(b *strings.Builder, tag, text string) {
	b.WriteString("<" + tag + ">")
	b.WriteString(escapeBody(text))
	b.WriteString("</" + tag + ">\n")
}

// block renders an item in full. The bytes are the same wherever the block
// stands; only the active note of a turn has a tag of its own, which is not a
// lasting property and is gone once the block is in the library.
func block(it Item, active bool) string {
	var b strings.Builder
	b.Grow(len(it.Content) + len(it.Path) + len(it.Title) + 128)
	tag := it.Kind.Info().Tag
	if active && tag == Kinds[0].Tag {
		tag = "active_note"
	}
	b.WriteString("<" + tag + ">\n")
	if it.Kind == URL {
		child(&b, "url", it.ID)
	} else {
		child(&b, "title", it.Title)
		child(&b, "path", it.Path)
	}
	switch it.Kind {
	case Selection:
		child(&b, "start_line", strconv.Itoa(it.StartLine))
		child(&b, "end_line", strconv.Itoa(it.EndLine))
		body(&b, "content", it.Content)
	case Query:
		child(&b, "query_type", it.QueryType)
		body(&b, "original_query", strings.TrimSpace(Canonical(it.Query))) // as it is identified
		body(&b, "executed_result", it.Content)
	default:
		body(&b, "content", it.Content)
	}
	b.WriteString("</" + tag + ">")
	return b.String()
}

// stub renders what is left of an item that had to make room: enough to ask
// for it again.
func stub(it Item) string {
	var b strings.Builder
	b.WriteString("<note_context>\n")
	child(&b, "title", it.Title)
	child(&b, "path", it.ID)
	body(&b, "outline", Canonical(it.Outline))
	b.WriteString("</note_context>")
	return b.String()
}

// recovered renders an item of which only the outline stands above.
func recovered(it Item, active bool) string {
	return "Of " + oneLine(it.ID) + " only the outline stands above, this is its text:\n\n" + block(it, active)
}

// fullUpdate renders a changed item as a replacement of the copy above.
func fullUpdate(it Item, active bool) string {
	return "The text of " + oneLine(it.ID) + " above is outdated, this replaces it:\n\n" + block(it, active)
}

// diffUpdate renders a change as a unified diff against the copy above.
func diffUpdate(it Item, diff string) string {
	var b strings.Builder
	b.WriteString("The text of " + oneLine(it.ID) + " above is outdated, this change replaces the lines that it names:\n\n<note_update>\n")
	child(&b, "path", it.ID)
	body(&b, "diff", diff)
	b.WriteString("</note_update>")
	return b.String()
}

// userMessage joins the parts of a user message: what stands before the
// question, then the question. With nothing before it the question stands alone.
func userMessage(before []string, question string) string {
	if len(before) == 0 {
		return question
	}
	parts := append(before[:len(before):len(before)], ruler, queryLabel+"\n"+question)
	return strings.Join(parts, "\n\n")
}

// notesSection renders the notes-to-self, oldest first, one a line.
func notesSection(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(notesHeading)
	for _, n := range notes {
		b.WriteByte('\n')
		b.WriteString(escapeBody(strings.Join(strings.Fields(clean(n)), " ")))
	}
	return b.String()
}
