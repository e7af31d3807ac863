package calltext

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"

	"ibid/vault/md"
)

// The forms of calls, as models write them where a line begins:
//
//	<use_tool name="X">{…}</use_tool>           the form of the guide
//	<X>{…}</X>                                  X is a tool that is offered; also <X query="…"/>
//	<tool_call>{"name":…,"arguments":…}</…>     Hermes, Qwen; also X<arg_key>… of GLM
//	<function_calls><invoke name="X">…          tags for the arguments; also <function=X>
//	<|tool_call|>…  <|python_tag|>…             tokens of Phi, Granite, Llama, Kimi, gpt-oss
//	<｜tool▁calls▁begin｜>…                       DeepSeek
//	[TOOL_CALLS] […]  [TOOL_CALLS]X{…}          Mistral
//	```tool_call                                a fence that says so
//	```json  {"name":"X",…}  [X(query="…")]     only as the end of a reply, and of a tool that is offered
//
// readBody parses the text between the marks of every form.

// form is a call whose opening was read.
type form struct {
	name  string   // of the tool, "" if the body names it
	word  string   // name of the tag that closes it, "" if none does
	fence md.Fence // fence around it, zero if there is none
	value bool     // it ends with its first value
	tail  bool     // it counts only at the end of a reply
	whole string   // arguments in a tag that needs no closing tag
	begin int      // offset of its body
}

// verdict is the result for a text at the beginning of a line.
type verdict uint8

const (
	isText verdict = iota
	mayOpen
	opens
	closes  // closes the call before it
	results // results of a call, invented by the model
)

// resultMarks begin the results of calls in the forms above. Only a server or this program writes them; in a reply
// they are invented.
var resultMarks = strings.Fields(`
	<tool_result <tool_response <tool_output <function_result <function_response
	<|tool_response <|tool_output <｜tool▁outputs▁begin｜> [TOOL_RESULTS]`)

// Stops returns stop sequences for a reply with calls in its text: the end of a call and the beginning of a result,
// in the form of the guide and in the most common other form. Some protocols take at most four.
func Stops() []string {
	return []string{"</use_tool>", "<tool_result>", "</tool_call>", "<tool_response>"}
}

// tokens are the openings that are no tags. None is a prefix of another.
var tokens = []string{
	"<|tool_call|>", "<|tool_call>", "<|tool_calls|>", "<|tool_call_start|>", "<|tool_call_begin|>",
	"<|tool_calls_begin|>",
	"<|tool_calls_section_begin|>", "<|function_call|>", "<|python_tag|>", "<|channel|>commentary to=",
	"<|start|>assistant<|channel|>commentary to=",
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "[TOOL_CALLS]",
}

const (
	maxTag  = 500 // bytes of a tag
	maxHead = 400 // bytes of a value up to the name in it
	maxLead = 200 // bytes between a token and its value
)

// names are the names of the offered tools.
type names struct {
	folded []string
	tags   []string // tags that may open calls: the tools, and callWords
	// calls come only as text, so that calls of unknown tools count, too, and get an error as their result
	text bool
}

func newNames(all []string, text bool) names {
	n := names{text: text}
	for _, name := range all {
		n.folded = append(n.folded, FoldName(name))
	}
	for _, word := range callWords {
		n.tags = append(n.tags, FoldName(word))
	}
	n.tags = append(n.tags, n.folded...)
	return n
}

func (n *names) has(name string) bool { return slices.Contains(n.folded, FoldName(name)) }

// FoldName returns a name in lower case and without underscores, which models often get wrong.
func FoldName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// plainName returns a name without the quotes, prefixes and suffixes of some forms.
func plainName(name string) string {
	name, _, _ = strings.Cut(strings.Trim(name, " \t\r\n\"'`"), ":")
	return strings.TrimPrefix(strings.TrimPrefix(name, "functions."), "default_api.")
}

// lastName returns the last word of text that is the name of a tool, "" if there is none.
func (n *names) lastName(text string) string {
	for len(text) > 0 {
		i := strings.LastIndexFunc(text, func(r rune) bool { return !isWord(r) })
		if word := text[i+1:]; word != "" && n.has(word) {
			return word
		}
		text = text[:max(i, 0)]
	}
	return ""
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// inName reports whether r may be part of the name of a tool or of a tag.
func inName(r rune) bool { return r == '.' || isWord(r) }

// open examines the beginning of a line. With behind, it also recognizes what belongs to the call before it. used
// is the length of the opening.
func (n *names) open(text []byte, behind bool) (f form, v verdict, used int) {
	marks := bytes.TrimLeft(text, " ")
	lead := len(text) - len(marks)
	switch {
	case lead > 3 && !behind:
		return f, isText, 0
	case len(marks) == 0:
		return f, mayOpen, 0
	case strings.IndexByte("<[{`", marks[0]) < 0:
		return f, isText, 0
	}
	t := string(marks)
	result := resultOf(t)
	if result == results {
		return f, results, 0
	}
	if behind {
		v, used = closingMark(t)
	}
	for _, dialect := range [...]func(string) (form, verdict){openingToken, n.tag, n.bareValue, n.inFence} {
		if v == isText {
			f, v = dialect(t)
		}
	}
	switch v {
	case opens:
		f.begin += lead
	case isText:
		v = result
	}
	return f, v, lead + used
}

// resultOf examines a text for the mark of a result.
func resultOf(t string) verdict {
	for _, mark := range resultMarks {
		rest, ok := strings.CutPrefix(t, mark)
		rest = strings.TrimPrefix(rest, "s")
		switch {
		case ok && (!isWord(rune(mark[len(mark)-1])) || rest != "" && !isWord(rune(rest[0]))):
			return results
		case ok && rest == "", strings.HasPrefix(mark, t):
			return mayOpen
		}
	}
	return isText
}

// isToken reports whether a text is, or may become, the beginning of a token.
func isToken(t string) bool {
	const wide = "<｜"
	return strings.HasPrefix(t, "<|") || strings.HasPrefix(t, wide) || len(t) < len(wide) && t != "" && t != "<" &&
		strings.HasPrefix(wide, t)
}

func openingToken(t string) (form, verdict) {
	for _, tok := range tokens {
		switch {
		case strings.HasPrefix(t, tok):
			return form{value: true, begin: len(tok)}, opens
		case strings.HasPrefix(tok, t):
			return form{}, mayOpen
		}
	}
	return form{}, isText
}

// closingMark examines a text for a tag, a token or the marks of a fence that close something.
func closingMark(t string) (verdict, int) {
	if marks := countBackticks(t); marks > 2 && marks < len(t) && !isWord(rune(t[marks])) {
		return closes, marks
	}
	_, v := openingToken(t)
	if v != isText || !strings.HasPrefix("</", t[:min(2, len(t))]) && !isToken(t) ||
		strings.ContainsAny(t, "\n ") || len(t) > 60 {
		return isText, 0
	}
	if i := strings.IndexByte(t, '>'); i >= 0 {
		return closes, i + 1
	}
	return mayOpen, 0
}

// countBackticks returns the number of backticks at the beginning of a text.
func countBackticks(t string) int { return len(t) - len(strings.TrimLeft(t, "`")) }

// tag examines a text for a tag that opens a call.
func (n *names) tag(t string) (form, verdict) {
	if t[0] != '<' {
		return form{}, isText
	}
	rest := strings.TrimLeftFunc(t[1:], inName)
	word := FoldName(t[1 : len(t)-len(rest)])
	if rest == "" { // the tag may continue
		if slices.ContainsFunc(n.tags, func(known string) bool { return strings.HasPrefix(known, word) }) {
			return form{}, mayOpen
		}
		return form{}, isText
	}
	if !slices.Contains(n.tags, word) || strings.ContainsAny(t, "\n") || len(t) > maxTag {
		return form{}, isText
	}
	read := readTag(t)
	if read.size == 0 {
		return form{}, mayOpen
	}
	name, ok := n.callTag(read)
	if !ok {
		return form{}, isText
	}
	f := form{name: name, word: read.word, begin: read.size}
	if read.single {
		f.whole = JSON(read.attributes)
	}
	return f, opens
}

// callWords are the tags that open calls, besides the names of tools.
var callWords = strings.Fields(
	"use_tool tool_call tool_calls tool_use function_call function_calls function invoke")

// callTag reports whether a tag opens a call, and of which tool, "" if it does not say.
func (n *names) callTag(t tag) (name string, ok bool) {
	if t.closing {
		return "", false
	}
	switch t.word {
	case "use_tool", "tool_call", "tool_use", "function_call", "function", "invoke":
		if name = plainName(t.name); name == "" {
			return "", !t.single && t.word != "function" && t.word != "invoke"
		}
		return name, n.text || n.has(name)
	case "tool_calls", "function_calls":
		return "", !t.single
	}
	return t.spelled, n.has(t.spelled) && !slices.Contains(blockTags, t.word) && (len(t.attributes) == 0 || t.single)
}

// tag is a parsed tag.
type tag struct {
	spelled    string
	word       string // name in lower case
	name       string // name in it: name="…", or the word after "="
	attributes map[string]any
	closing    bool
	single     bool // it needs no closing tag
	size       int  // in bytes
}

var (
	tagForm       = regexp.MustCompile(`^<(/?)([\w.]+)([^>]*?)(/?)>`)
	attributeForm = regexp.MustCompile(`([^\s=,]+)\s*=\s*(?:"([^"]*)"?|'([^']*)'?|“([^”]*)”?|([^"'“\s]\S*))`)
)

// readTag parses the tag at the beginning of s. Its size is 0 if there is none.
func readTag(s string) (t tag) {
	s = s[:min(len(s), maxTag)]
	m := tagForm.FindStringSubmatch(s[:strings.IndexByte(s, '>')+1])
	if m == nil {
		return t
	}
	t = tag{
		spelled: m[2], word: strings.ToLower(m[2]), closing: m[1] != "", single: m[4] != "",
		attributes: map[string]any{}, size: len(m[0]),
	}
	if name, ok := strings.CutPrefix(m[3], "="); ok {
		t.name = strings.Trim(name, "\"' ")
		return t
	}
	for _, a := range attributeForm.FindAllStringSubmatch(m[3], -1) {
		if key, value := a[1], strings.Join(a[2:], ""); key == "name" || key == "tool" {
			t.name = value
		} else {
			t.attributes[key] = value
		}
	}
	return t
}

// tagsIn iterates over the tags of a text and their offsets.
func tagsIn(text string) iter.Seq2[int, tag] {
	return func(yield func(int, tag) bool) {
		for at := range len(text) {
			if text[at] == '<' {
				if t := readTag(text[at:]); t.size > 0 && !yield(at, t) {
					return
				}
			}
		}
	}
}

// bareValue examines a text for a value without any mark.
func (n *names) bareValue(t string) (f form, v verdict) {
	if t[0] == '{' || t[0] == '[' {
		v = n.valueHead(t)
	}
	return form{value: true, tail: true}, v
}

// fenceWords are the info strings of fences that contain calls. The first two alone are no sure sign.
var fenceWords = []string{"", "json", "tool_call", "tool_calls", "tool_use", "tool_code", "function_call", "tool"}

// inFence examines a text for a fence that contains a call.
func (n *names) inFence(t string) (f form, v verdict) {
	marks := countBackticks(t)
	switch {
	case marks > 0 && marks == len(t) && marks < 20:
		return f, mayOpen
	case marks < 3:
		return f, isText
	}
	line, rest, whole := strings.Cut(t, "\n")
	info := strings.TrimSpace(line[marks:])
	for i, word := range fenceWords {
		switch {
		case whole && strings.EqualFold(word, info):
			f = form{fence: md.Fence{Char: '`', Len: marks}, tail: i < 2, begin: len(line) + 1}
			if rest = strings.TrimLeft(rest, blanks); rest == "" && len(t) < maxHead {
				return f, mayOpen
			}
			return f, n.valueHead(rest)
		case !whole && foldPrefix(word, info):
			return f, mayOpen
		}
	}
	return f, isText
}

// The text before the name of a tool in an object, without the characters that callMarkers removes: possible
// wrappers, from the outside, and the key.
var (
	headWraps   = []string{"toolcalls:[{", "type:function,", "function:{"}
	headKeys    = []string{"name:", "tool:", "toolname:", "function:", "functionname:", "action:"}
	callMarkers = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", `"`, "", "'", "", "_", "")
)

// valueHead examines the beginning of a value that may be a call of an offered tool.
func (n *names) valueHead(t string) verdict {
	rest := strings.ToLower(callMarkers.Replace(t[:min(len(t), maxHead)]))
	v := isText
	cut := func(part string) (ok bool) {
		if strings.HasPrefix(part, rest) && len(t) < maxHead {
			v = mayOpen
		}
		rest, ok = strings.CutPrefix(rest, part)
		return ok
	}
	cut("[")
	ends := "("
	if cut("{") {
		for _, wrap := range headWraps {
			cut(wrap)
		}
		if !slices.ContainsFunc(headKeys, cut) {
			return v
		}
		ends = ",}"
	}
	cut("functions.")
	named := rest
	for _, name := range n.folded {
		if rest = named; cut(name) && rest != "" && strings.IndexByte(ends, rest[0]) >= 0 {
			return opens
		}
	}
	return v
}
