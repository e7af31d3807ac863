package prompt

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// This file formats the results of tools: for the block in front of a user message, and for the messages of a loop.

// documentsIntro precedes documents if the tool has no other text.
const documentsIntro = "Answer the question based only on the following context:"

// Text returns the result in the form for a model that is offered tools of these names.
func (t ToolResult) Text(names []string) string {
	return t.text(toolTags([]ToolResult{t}, names))
}

// text returns the result and the instruction after it.
func (t ToolResult) text(tags map[string]bool) string {
	text := t.Content
	if len(t.Documents) > 0 {
		text = toolSegment(t, tags)
	}
	if t.Stop != "" {
		text += "\n\n" + t.Stop
	}
	return text
}

// toolTags returns the tags that no text in a result may contain: results are foreign text, and must not end their
// block or imitate one of ours or of another tool.
func toolTags(found []ToolResult, names []string) map[string]bool {
	tags := maps.Clone(blockTags)
	tags["document"] = true
	for _, name := range names {
		tags[strings.ToLower(name)] = true
	}
	for _, t := range found {
		tags[strings.ToLower(t.Name)] = true
	}
	return tags
}

// toolSegment formats one result as a block.
func toolSegment(t ToolResult, tags map[string]bool) string {
	var b strings.Builder
	b.WriteString("<" + t.Name)
	for _, a := range t.Attributes {
		b.WriteString(" " + a[0] + `="` + attribute.Replace(clean(a[1])) + `"`)
	}
	b.WriteString(">\n")
	intro := escapeTags(CanonicalText(t.Content), tags)
	if intro == "" && len(t.Documents) > 0 {
		intro = documentsIntro
	}
	b.WriteString(intro + "\n")
	for _, d := range t.Documents {
		b.WriteString("\n")
		document(&b, d, tags)
	}
	if text := guidance(t, tags); text != "" {
		b.WriteString("\n<guidance>\n" + text + "\n</guidance>\n")
	}
	b.WriteString("</" + t.Name + ">")
	return b.String()
}

// sum returns the hash of a result with ids counted from 1.
func (t ToolResult) sum(tags map[string]bool) string {
	first := 0
	for _, s := range t.Sources {
		if first == 0 || s.ID > 0 && s.ID < first {
			first = s.ID
		}
	}
	t.Sources, t.Documents = slices.Clone(t.Sources), slices.Clone(t.Documents)
	for i := range t.Sources {
		t.Sources[i].ID -= first - 1
	}
	for i := range t.Documents {
		t.Documents[i].ID -= first - 1
	}
	return hexSum(sha256.Sum256([]byte(toolSegment(t, tags))))
}

// Passages returns the documents that tools found before the request: path and heading, text and size. Kind is
// "passage", or says where the model has the text already.
func (e Envelope) Passages() []Segment {
	var out []Segment
	tags := toolTags(e.tools.found, e.tools.names)
	for _, t := range e.tools.found {
		if t.Call != "" {
			continue
		}
		for _, d := range t.Documents {
			var b strings.Builder
			document(&b, d, tags)
			id := d.Path
			if d.Heading != "" {
				id += "#" + d.Heading
			}
			out = append(out, Segment{
				ID: id, Kind: cmp.Or(d.State, "passage"), Text: b.String(), Tokens: e.budget.scale(e.count(b.String())),
			})
		}
	}
	return out
}

func document(b *strings.Builder, d Document, tags map[string]bool) {
	b.WriteString("<document>\n")
	child(b, "id", strconv.Itoa(d.ID))
	child(b, "title", d.Title)
	child(b, "path", d.Path)
	if d.Heading != "" {
		child(b, "heading", d.Heading)
	}
	if d.From > 0 {
		child(b, "lines", strconv.Itoa(d.From)+"-"+strconv.Itoa(d.To))
	}
	if d.Modified != "" {
		child(b, "modified", d.Modified)
	}
	if d.State != "" {
		child(b, "state", d.State)
	} else {
		b.WriteString("<content>" + maskQuery(escapeTags(CanonicalText(d.Content), tags, "content")) + "</content>\n")
	}
	b.WriteString("</document>\n")
}

// maskQuery puts a backslash before a line that equals the mark of the question.
func maskQuery(text string) string {
	if !strings.Contains(text, queryLabel) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line == queryLabel {
			lines[i] = `\` + line
		}
	}
	return strings.Join(lines, "\n")
}

// guidance returns the instructions for citing and the list of sources.
func guidance(t ToolResult, tags map[string]bool) string {
	var lines []string
	if text := escapeTags(CanonicalText(t.Guidance), tags); text != "" {
		lines = append(lines, text)
	}
	for _, s := range t.Sources {
		lines = append(lines, "[^"+strconv.Itoa(s.ID)+"]: "+escapeTags(s.Link(), tags))
	}
	return strings.Join(lines, "\n")
}

// Link returns the source as a markdown link: a wikilink, or an inline link for an address, and for a path with
// characters that a wikilink cannot contain.
func (s Source) Link() string {
	name := oneLine(s.Path)
	target := strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "[", "%5B", "]", "%5D", "<", "%3C", ">", "%3E")
	title := strings.NewReplacer("[", `\[`, "]", `\]`)
	if _, place, _ := strings.Cut(name, "://"); md.StartsURL(name) {
		return "[" + title.Replace(strings.TrimSuffix(place, "/")) + "](" + target.Replace(name) + ")"
	}
	if strings.ContainsAny(name, "[]#^|") {
		target := target.Replace(strings.NewReplacer("%", "%25", "#", "%23").Replace(name))
		return "[" + title.Replace(noteName(name)) + "](" + target + ")"
	}
	return "[[" + s.Target() + "]]"
}

// Target returns the target for a wikilink to the source.
func (s Source) Target() string {
	target := strings.TrimSuffix(oneLine(s.Path), ".md")
	if h := linkHeading(s.Heading); h != "" {
		target += "#" + h
	}
	return target
}

// linkHeading returns a heading in the form for links, without characters that would end the link.
func linkHeading(text string) string {
	text = strings.NewReplacer("#", " ", "|", " ", "^", " ", ":", " ", "[", " ", "]", " ").Replace(clean(text))
	return md.OneLine(text)
}

// Extend returns the request of the next round of a turn: the request of e, the model's reply with its calls, and
// their results, in the order of the calls. The earlier bytes and the epoch are unchanged. The last result with
// documents ends with the question, so that the model reads the question last.
func (e Envelope) Extend(reply Message, results []ToolResult) Envelope {
	e.tools.found = append(slices.Clip(e.tools.found), results...)
	return e.extended(e.round(reply, results))
}

// ExtendText is Extend for a model that calls tools in its text. reply is its text with the calls; the results are
// blocks in one user message that ends with the question.
func (e Envelope) ExtendText(reply string, results []ToolResult) Envelope {
	e.tools.found = append(slices.Clip(e.tools.found), results...)
	parts, names := []string{toolHeading}, make([]string, len(results))
	found := loopMessage{Message: Message{Role: User}}
	tags := toolTags(e.tools.found, e.tools.names)
	for i, t := range results {
		t.Name = tagWord(t.Name)
		text := toolSegment(t, tags)
		if t.Stop != "" {
			text += "\n\n" + t.Stop
		}
		parts, names[i] = append(parts, text), t.Name
		found.segments = append(found.segments, Segment{ID: t.Name, Kind: "tool", Text: text, Tokens: e.count(text)})
	}
	found.Content = userMessage(parts, e.question)
	call := loopMessage{
		Message{Role: Assistant, Content: reply},
		[]Segment{{ID: strings.Join(names, ", "), Kind: "call", Text: reply, Tokens: e.count(reply)}},
	}
	return e.extended([]loopMessage{call, found})
}

// tagWord returns a name that a model gave to a tool in the form of a tag.
func tagWord(name string) string {
	word := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, name)
	return cmp.Or(word, "tool")
}

// extended returns the request with more messages of the loop.
func (e Envelope) extended(messages []loopMessage) Envelope {
	r := *e.request
	same, sent := place{messages: r.len(), tokens: e.Predicted.Counted}, 0
	for w := range r.all() {
		sent += len(w.Content)
	}
	layer := Layer{ID: "tools"}
	e.Layers = slices.Clone(e.Layers)
	if n := len(e.Layers); n > 0 && e.Layers[n-1].ID == layer.ID {
		layer, e.Layers = e.Layers[n-1], e.Layers[:n-1]
	}
	for _, m := range messages {
		w := wire{Message: m.Message, tokens: m.size(e.count), turn: e.Turn}.withSum()
		r.loop = append(slices.Clip(r.loop), w)
		for _, s := range m.segments {
			if len(m.segments) == 1 {
				s.Tokens = w.tokens
			}
			s.Tokens = e.budget.scale(s.Tokens)
			layer.Segments = append(slices.Clip(layer.Segments), s)
		}
		layer.Tokens += e.budget.scale(w.tokens)
	}
	layer.SHA256 = sumOf(r.loop)
	e.request, e.Layers = &r, append(e.Layers, layer)
	e.Break, e.Shortened = nil, nil
	e.kept.trace.Called = true
	e.expect(e.cache.places, same, sent)
	spreadCached(e.Layers, e.Predicted.Cached)
	return e
}

// loopMessage is a message of a loop with its description.
type loopMessage struct {
	Message
	segments []Segment
}

// round returns the messages of a reply and its results.
func (e *Envelope) round(reply Message, results []ToolResult) []loopMessage {
	reply.Role = Assistant
	names := make([]string, len(reply.ToolCalls))
	for i, c := range reply.ToolCalls {
		names[i] = c.Name
	}
	var calls strings.Builder
	dumpLoop(&calls, reply)
	out := []loopMessage{{reply, []Segment{{ID: strings.Join(names, ", "), Kind: "call", Text: calls.String()}}}}
	last := -1
	for i, t := range results {
		if len(t.Documents) > 0 {
			last = i
		}
	}
	tags := toolTags(e.tools.found, e.tools.names)
	for i, t := range results {
		text := t.text(tags)
		if i == last {
			text += "\n\n" + queryLabel + "\n" + e.question
		}
		out = append(out,
			loopMessage{
				Message{Role: ToolRole, ToolCallID: t.Call, Content: text},
				[]Segment{{ID: t.Name, Kind: "tool", Text: text}},
			})
	}
	return out
}
