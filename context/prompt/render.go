package prompt

import (
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// This file writes every byte that the engine adds to foreign text. The rules:
//
//   - line ends are LF, and no layer ends with one;
//   - paths and titles are escaped in their tags, list lines hold them as they are, on one line;
//   - text that comes from elsewhere is valid UTF-8 with LF before it is written;
//   - a body cannot end its block or fake another: the tag of a block, and what
//     would end the body itself, gets a backslash after its "<", the same in
//     every rendering; other tags, such as <path>, stay as they are;
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
	todayFormat    = "Today is Monday, 2 January 2006." // in English, whatever the locale is
)

// blockTags are the names of all blocks that the engine and its callers write
// around foreign text, of tools, and of calls in text: no such text holds one of
// them, opening or closing.
var blockTags = map[string]bool{
	"note_context": true, "active_note": true, "selected_text": true, "url_content": true, "dataview_block": true,
	"note_update": true, "embedded_note": true,
	"project_system_prompt": true, "project_context": true, "user_instructions": true, "user_memory": true,
	"guidance":    true,
	"localsearch": true, "search_workspace": true, "get_workspace_context": true, "get_current_note": true,
	"get_note_by_reference": true, "readnote": true,
	"get_related_notes": true, "get_note_diff": true, "get_workspace_summary": true, "getfiletree": true,
	"gettaglist": true, "getcurrenttime": true,
	"timerange": true, "editfile": true, "writetofile": true, "writefile": true, "updatememory": true,
	"websearch": true, "fetchurl": true,
	"use_tool": true, "tool_call": true,
}

// escapeBody puts a backslash after the "<" of every tag in s that names a block,
// in any case, and of what closes one of these children. Text without such a tag
// comes back as it is, without a copy.
func escapeBody(s string, children ...string) string { return escapeTags(s, blockTags, children...) }

func escapeTags(s string, blocks map[string]bool, children ...string) string {
	var b strings.Builder
	done := 0
	for i := strings.IndexByte(s, '<'); i >= 0; {
		if name, closes := tagName(s[i+1:]); blocks[name] || closes && slices.Contains(children, name) {
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

// tagName is the name of the tag that s, the text after a "<", starts with, in
// small letters, and whether the tag closes something.
func tagName(s string) (name string, closes bool) {
	i := 0
	for i < len(s) && (s[i] == '/' || s[i] == ' ') && i < 4 {
		closes = closes || s[i] == '/'
		i++
	}
	start := i
	for i < len(s) && i-start < 64 &&
		(s[i] == '_' || s[i] == '-' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' &&
			s[i] <= 'Z') {
		i++
	}
	return strings.ToLower(s[start:i]), closes
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

// body writes foreign text as a child. The text of an item travels as a whole or
// as a diff, and is the same in both: it ends neither.
func body(b *strings.Builder, tag, text string, also ...string) {
	b.WriteString("<" + tag + ">")
	b.WriteString(escapeBody(text, append(also, tag, "diff")...))
	b.WriteString("</" + tag + ">\n")
}

// block renders an item in full. The bytes are the same wherever the block
// stands; only the active note of a turn has a tag of its own, which is not a
// lasting property and is gone once the block is in the library.
func block(it Item, active bool) string {
	if it.Kind == Picture {
		return "The image " + oneLine(it.ID) + " is attached to this message."
	}
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
		if !it.IsGiven() {
			child(&b, "path", it.Path)
		}
	}
	switch it.Kind {
	case Selection:
		child(&b, "start_line", strconv.Itoa(it.StartLine))
		child(&b, "end_line", strconv.Itoa(it.EndLine))
	case Query:
		child(&b, "query_type", it.QueryType)
		body(&b, "original_query", strings.TrimSpace(CanonicalText(it.Query))) // as it is identified
	}
	body(&b, it.textTag(), it.Content)
	for _, e := range it.Embedded {
		b.WriteString("<embedded_note>\n")
		child(&b, "path", e.Path)
		body(&b, "content", e.Content)
		b.WriteString("</embedded_note>\n")
	}
	b.WriteString("</" + tag + ">")
	return b.String()
}

// textTag is the child that holds the text of an item.
func (it Item) textTag() string {
	if it.Kind == Query {
		return "executed_result"
	}
	return "content"
}

// stub renders what is left of an item that had to make room: enough to ask
// for it again.
func stub(it Item) string {
	var b strings.Builder
	b.WriteString("<note_context>\n")
	child(&b, "title", it.Title)
	child(&b, "path", it.ID)
	body(&b, "outline", CanonicalText(it.Outline))
	b.WriteString("</note_context>")
	return b.String()
}

// stubUpdate renders an item of which only the outline stands above.
func stubUpdate(it Item, active bool) string {
	return "Of " + oneLine(it.ID) + " only the outline stands above, this is its text:\n\n" + block(it, active)
}

// fullUpdate renders a changed item as a replacement of the copy above.
func fullUpdate(it Item, active bool) string {
	return "The text of " + oneLine(it.ID) + " above is outdated, this replaces it:\n\n" + block(it, active)
}

// diffUpdate renders a change as a unified diff against the copy above.
func diffUpdate(it Item, diff string) string {
	var b strings.Builder
	b.WriteString("The text of " + oneLine(it.ID) +
		" above is outdated, this change replaces the lines that it names:\n\n<note_update>\n")
	child(&b, "path", it.ID)
	body(&b, "diff", diff, it.textTag())
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
		b.WriteString(escapeBody(md.OneLine(clean(n))))
	}
	return b.String()
}
