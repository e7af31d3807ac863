package prompt

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// reader reads a request as a careful model would: message by message, from the first byte to
// the last, with the text as its only source. Its beliefs are compared with the vault. It knows
// the wording of the engine and shares no code with it. Diffs are applied to the copy that was
// sent before.
type reader struct {
	beliefs map[string]*belief
	errs    []string
	images  int
	fulls   int             // blocks read
	sources map[string]int  // blocks of each thing in the message that is being read
	listed  map[string]bool // names in the list of the message that is being read
	swapped map[string]bool // names that the message says have a new text in the library
	left    map[string]bool // names that the message says are no longer in the prompt
}

// belief is the reader's knowledge of one item, by the present name of the item.
type belief struct {
	content string // as sent: with our tags escaped
	embeds  string // what it embeds: paths and texts
	outline bool   // the content is an outline
	state   string // "current", "outdated" or "deleted"
	system  bool   // the copy stands in the system message
}

const readerQuestion = "[User query]:\n"

// read reads a whole request.
func read(messages []Message) *reader {
	r := &reader{beliefs: map[string]*belief{}}
	for i, m := range messages {
		r.images += len(m.Images)
		r.sources, r.listed, r.left, r.swapped = map[string]int{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		switch {
		case m.Role == System:
			if _, library, ok := strings.Cut(m.Content, "## Context Library\n\n"); ok {
				r.text(library, true)
			}
		case m.Role == User:
			if at := strings.LastIndex(m.Content, "\n\n---\n\n"+readerQuestion); at >= 0 {
				r.text(m.Content[:at], false)
			} else if i == len(messages)-1 && strings.Contains(m.Content, "<note_context>") {
				r.errorf("a block without a question behind it")
			}
		}
		for name := range r.listed {
			if b := r.known(name); b != nil && b.state != "current" {
				r.errorf("the list refers to %s, which is %s", name, b.state)
			}
		}
	}
	return r
}

func (r *reader) errorf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Sprintf(format, args...))
}

var (
	blockStart = regexp.MustCompile(`^<(note_context|active_note|selected_text|url_content|dataview_block|note_update)>$`)
	toolStart  = regexp.MustCompile(`^<(tool[0-9]+)( [a-z]+="[^"]*")*>$`)
	outdated   = regexp.MustCompile(`^The (?:note|image) (.+) changed on disk, the (?:text|image) above is outdated\.$`)
	deleted    = regexp.MustCompile(
		`^The (?:note|image) (.+) was deleted, the (?:text|image) above is the last that was sent\.$`)
	again = regexp.MustCompile(`^The (?:note|image) (.+) is again as it is shown above\.$`)
	left  = regexp.MustCompile(
		`^(.+) is no longer in the prompt \(it (?:embeds images|is an image)\): attach it again if you need it\.$`)
	swapped  = regexp.MustCompile(`^(.+) was edited since your last reply; the Context Library has the new text\.$`)
	picture  = regexp.MustCompile(`^The image (.+) is attached to this message\.$`)
	moved    = regexp.MustCompile(`^The (?:note|image) (.+) is now (.+)\.$`)
	renamed  = regexp.MustCompile(`^- (.+) \(was (.+)\)$`)
	hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)
)

// text reads blocks and sentences until the text ends.
func (r *reader) text(s string, system bool) {
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		if m := blockStart.FindStringSubmatch(line); m != nil {
			inner, after, ok := strings.Cut(rest, "\n</"+m[1]+">")
			if !ok {
				r.errorf("block %s never ends", m[1])
				return
			}
			r.block(m[1], inner, system)
			s = strings.TrimPrefix(after, "\n")
			continue
		}
		if m := toolStart.FindStringSubmatch(line); m != nil {
			_, after, ok := strings.Cut(rest, "\n</"+m[1]+">")
			if !ok {
				r.errorf("tool %s never ends", m[1])
			}
			s = strings.TrimPrefix(after, "\n")
			continue
		}
		r.sentence(line)
		s = rest
	}
}

// sentence reads one line outside of blocks.
func (r *reader) sentence(line string) {
	state := func(m []string, to string) {
		if b := r.known(m[1]); b != nil {
			b.state = to
		}
	}
	switch {
	case line == "" || strings.HasPrefix(line, "The text of ") || strings.HasPrefix(line, "Of "):
	case outdated.MatchString(line):
		state(outdated.FindStringSubmatch(line), "outdated")
	case deleted.MatchString(line):
		state(deleted.FindStringSubmatch(line), "deleted")
	case again.MatchString(line):
		m := again.FindStringSubmatch(line)
		if b := r.known(m[1]); b != nil && b.state == "current" {
			r.errorf("%s was never said to be otherwise", m[1])
		}
		state(m, "current")
	case picture.MatchString(line):
		r.beliefs[plain(picture.FindStringSubmatch(line)[1])] = &belief{state: "current"}
	case swapped.MatchString(line):
		name := plain(swapped.FindStringSubmatch(line)[1])
		if b := r.known(name); b != nil && (b.outline || !b.system || r.swapped[name]) {
			r.errorf("%s is said to have a new text in the library: %+v", name, *b)
		}
		r.swapped[name] = true
	case left.MatchString(line):
		name := plain(left.FindStringSubmatch(line)[1])
		if r.left[name] = true; r.beliefs[name] != nil {
			r.errorf("%s is said to be out of the prompt, and it is in it", name)
		}
	case moved.MatchString(line):
		m := moved.FindStringSubmatch(line)
		r.rename(m[1], m[2])
	case renamed.MatchString(line):
		m := renamed.FindStringSubmatch(line)
		r.rename(m[2], m[1])
		r.listed[plain(m[1])] = true
	case strings.HasPrefix(line, "- "):
		r.listed[plain(line[2:])] = true
	}
}

func plain(name string) string { return strings.ReplaceAll(name, `<\`, "<") }

func (r *reader) known(name string) *belief {
	b := r.beliefs[plain(name)]
	if note, part, ok := strings.Cut(plain(name), "#"); b == nil && ok && !strings.HasPrefix(part, "L") {
		b = r.beliefs[note] // a part of a note is there with the note
	}
	if b == nil {
		r.errorf("%s is named and was never sent", name)
	}
	return b
}

func (r *reader) rename(from, to string) {
	from, to = plain(from), plain(to)
	b := r.beliefs[from]
	switch {
	case b == nil:
		r.errorf("%s is said to have become %s and was never sent", from, to)
		return
	case from == to:
		r.errorf("%s is said to have become itself", from)
	case r.beliefs[to] != nil:
		r.errorf("%s is said to have become %s, which is something else", from, to)
	}
	delete(r.beliefs, from)
	r.beliefs[to] = b
}

// field returns the text of a child element; ok is false if there is none.
func field(inner, tag string) (string, bool) {
	_, rest, ok := strings.Cut(inner, "<"+tag+">")
	if !ok {
		return "", false
	}
	text, _, ok := strings.Cut(rest, "</"+tag+">")
	return text, ok
}

// embedded separates the embedded notes from the text of a block.
func (r *reader) embedded(inner string) (rest, embeds string) {
	rest, more, found := strings.Cut(inner, "\n<embedded_note>\n")
	for found {
		var one string
		one, more, found = strings.Cut(more+"\n", "\n</embedded_note>\n")
		path, ok := field(one, "path")
		content, has := field(one, "content")
		if !found || !ok || !has {
			r.errorf("an embedded note without its path, its text or its end: %q", one)
			return rest, embeds
		}
		embeds += html.UnescapeString(path) + "\x00" + content + "\x00"
		more, found = strings.CutPrefix(strings.TrimSuffix(more, "\n"), "<embedded_note>\n")
	}
	return rest, embeds
}

func (r *reader) block(tag, inner string, system bool) {
	get := func(child string) string {
		text, ok := field(inner, child)
		if !ok {
			r.errorf("a %s without its %s", tag, child)
		}
		return text
	}
	inner, embeds := r.embedded(inner)
	name, content, outline := "", "", false
	switch tag {
	case "note_update":
		r.update(html.UnescapeString(get("path")), get("diff"))
		return
	case "selected_text":
		name = fmt.Sprintf("%s#L%s-L%s", html.UnescapeString(get("path")), get("start_line"), get("end_line"))
		content = get("content")
	case "url_content":
		name, content = html.UnescapeString(get("url")), get("content")
	case "dataview_block":
		name = QueryRef(html.UnescapeString(get("path")), plain(get("original_query"))).ID
		content = get("executed_result")
	default:
		name = html.UnescapeString(get("path"))
		if content, outline = field(inner, "outline"); !outline {
			content = get("content")
		}
	}
	r.fulls++
	if old := r.beliefs[name]; old != nil && old.outline == outline && old.content == content && old.embeds == embeds {
		r.errorf("%s is sent again, and nothing in it has changed", name)
	}
	if r.sources[name]++; r.sources[name] > 1 {
		r.errorf("%s stands twice in one message", name)
	}
	r.beliefs[name] = &belief{content: content, embeds: embeds, outline: outline, state: "current", system: system}
}

func (r *reader) update(name, diff string) {
	b := r.beliefs[name]
	if b == nil {
		r.errorf("a change of %s, which was never sent", name)
		return
	}
	content, err := patch(b.content, diff)
	if err != nil {
		r.errorf("the change of %s does not fit: %v", name, err)
		return
	}
	b.content, b.state, b.system = content, "current", false
}

// patch applies a unified diff, whose text must fit to the byte.
func patch(text, diff string) (string, error) {
	old := strings.Split(text, "\n")
	var out []string
	at := 0
	lines := strings.Split(diff, "\n")
	for i := 0; i < len(lines); i++ {
		m := hunkHead.FindStringSubmatch(lines[i])
		if m == nil {
			return "", fmt.Errorf("%q is no head of a hunk", lines[i])
		}
		start, _ := strconv.Atoi(m[1])
		start-- // heads count from one
		if m[2] == "0" {
			start++ // of an insertion they name the line before
		}
		if start < at || start > len(old) {
			return "", fmt.Errorf("%q is out of order", lines[i])
		}
		out = append(out, old[at:start]...)
		at = start
		for ; i+1 < len(lines) && !strings.HasPrefix(lines[i+1], "@@"); i++ {
			l := lines[i+1]
			if l == "" {
				return "", fmt.Errorf("a line without a sign")
			}
			if l[0] != '+' {
				if at >= len(old) || old[at] != l[1:] {
					return "", fmt.Errorf("line %d is not %q", at+1, l[1:])
				}
				at++
			}
			if l[0] != '-' {
				out = append(out, l[1:])
			}
		}
	}
	return strings.Join(append(out, old[at:]...), "\n"), nil
}
