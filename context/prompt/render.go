package prompt

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// This file writes all markup that the engine adds to foreign text. The rules:
//
//   - line ends are LF, and no layer ends with one;
//   - paths and titles are escaped in tags; in list lines they are unchanged, on one line;
//   - text from elsewhere is valid UTF-8 with LF before it is written;
//   - a body cannot end its block or imitate another: the tags of blocks, and those that would end the body itself,
//     get a backslash after their "<", the same in every rendering; other tags, such as <path>, are unchanged;
//   - nothing is parsed back: the content of a request is known from the values it was made of.

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

// blockTags are the tags of all blocks that the engine and its callers write around foreign text, and of tools and
// calls in text. No foreign text contains one of them, opening or closing.
var blockTags = tagSet(`
	note_context active_note selected_text url_content dataview_block note_update embedded_note
	project_system_prompt project_context user_instructions user_memory guidance
	localsearch search_workspace get_workspace_context get_current_note get_note_by_reference readnote
	get_related_notes get_note_diff get_workspace_summary getfiletree gettaglist getcurrenttime
	timerange editfile writetofile writefile updatememory websearch fetchurl
	use_tool tool_call`)

// tagSet returns the set of the tags in a list.
func tagSet(list string) map[string]bool {
	tags := map[string]bool{}
	for tag := range strings.FieldsSeq(list) {
		tags[tag] = true
	}
	return tags
}

// escapeBody puts a backslash after the "<" of every tag in s that names a block, in any case, and of the closing
// tags of children. It returns text without such tags unchanged, without a copy.
func escapeBody(s string, children ...string) string { return escapeTags(s, blockTags, children...) }

// tagBegin matches the beginning of a tag up to the end of its name.
var tagBegin = regexp.MustCompile(`<[/ ]{0,4}[\w-]{1,64}`)

func escapeTags(s string, blocks map[string]bool, children ...string) string {
	return tagBegin.ReplaceAllStringFunc(s, func(tag string) string {
		name := strings.ToLower(strings.TrimLeft(tag, "</ "))
		if blocks[name] || strings.Contains(tag, "/") && slices.Contains(children, name) {
			return `<\` + tag[1:]
		}
		return tag
	})
}

var attribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ", "\r", " ")

// clean makes a path, a title or an attribute valid UTF-8 without NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// oneLine cleans a path or a title and puts it on one line.
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

// body writes foreign text as a child. An item is sent as a text or as a diff, and both are escaped alike, so that
// they agree.
func body(b *strings.Builder, tag, text string, also ...string) {
	b.WriteString("<" + tag + ">")
	b.WriteString(escapeBody(text, append(also, tag, "diff")...))
	b.WriteString("</" + tag + ">\n")
}

// block formats an item in full. The bytes are the same wherever the block is; only the active note of a turn has a
// tag of its own, which it loses in the library.
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
		body(&b, "original_query", strings.TrimSpace(CanonicalText(it.Query))) // in the form of QueryRef
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

// textTag returns the tag of the child with the text of an item.
func (it Item) textTag() string {
	if it.Kind == Query {
		return "executed_result"
	}
	return "content"
}

// stub formats an item reduced to its outline: enough to ask for it again.
func stub(it Item) string {
	var b strings.Builder
	b.WriteString("<note_context>\n")
	child(&b, "title", it.Title)
	child(&b, "path", it.ID)
	body(&b, "outline", CanonicalText(it.Outline))
	b.WriteString("</note_context>")
	return b.String()
}

// stubUpdate formats the text of an item of which the model has only the outline.
func stubUpdate(it Item, active bool) string {
	return "Of " + oneLine(it.ID) + " only the outline stands above, this is its text:\n\n" + block(it, active)
}

// fullUpdate formats a changed item as a replacement of the earlier copy.
func fullUpdate(it Item, active bool) string {
	return "The text of " + oneLine(it.ID) + " above is outdated, this replaces it:\n\n" + block(it, active)
}

// diffUpdate formats a change as a unified diff against the earlier copy.
func diffUpdate(it Item, diff string) string {
	var b strings.Builder
	b.WriteString("The text of " + oneLine(it.ID) +
		" above is outdated, this change replaces the lines that it names:\n\n<note_update>\n")
	child(&b, "path", it.ID)
	body(&b, "diff", diff, it.textTag())
	b.WriteString("</note_update>")
	return b.String()
}

// userMessage joins the parts before the question and the question. Without such parts it returns the question
// alone.
func userMessage(before []string, question string) string {
	if len(before) == 0 {
		return question
	}
	parts := append(before[:len(before):len(before)], ruler, queryLabel+"\n"+question)
	return strings.Join(parts, "\n\n")
}

// notesSection formats the notes-to-self, oldest first, one a line.
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
