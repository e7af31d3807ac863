package calltext

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// The forms of calls, as models write them where a line begins:
//
//	<use_tool name="X">{…}</use_tool>           the form of the guide
//	<X>{…}</X>                                  X is a tool that is offered
//	<tool_call>{"name":…,"arguments":…}</…>     Hermes, Qwen; also X<arg_key>… of GLM
//	<function_calls><invoke name="X">…          tags for the arguments; also <function=X>
//	<|tool_call|>…  <|python_tag|>…             tokens of Phi, Granite, Llama, Kimi, gpt-oss
//	<｜tool▁calls▁begin｜>…                       DeepSeek
//	[TOOL_CALLS] […]  [TOOL_CALLS]X{…}          Mistral
//	<X query="…"/>  <use_tool name="X"/>        one tag; of its attributes the model is told
//	```tool_call  ```tool_code                  a fence that says so; in the latter X(query="…"), of Gemma
//	[X(query="…")]                              of Llama, only as the end of a reply
//	```json  {"name":"X",…}                     only as the end of a reply, and of a tool that is offered
//
// A call ends with its first value, whatever closes it. Only one without a value, or with one that does not end, ends
// with its closing tag.

// form is a call whose opening was read.
type form struct {
	name  string // of the tool, "" if the body names it
	word  string // name of the tag that closes it, "" if none does
	tail  bool   // it counts only at the end of a reply
	begin int    // offset of its body

	single bool // its body ends with its tag
}

// verdict is the result for a text at the beginning of a line.
type verdict uint8

const (
	isText verdict = iota
	mayOpen
	opens
	wraps   // a tag around calls
	closes  // closes the call before it
	results // results of a call, invented by the model
)

// resultMarks begin the results of calls in the forms above, also with an "s". Only a server or this program writes
// them; in a reply they are invented.
var resultMarks = strings.Fields(`
	<tool_result <tool_response <tool_output <function_result <function_response
	<|tool_response <|tool_output <｜tool▁outputs▁begin [TOOL_RESULTS`)

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

// Tags that open calls, besides the names of tools, and tags around calls.
var (
	callWords = strings.Fields("use_tool tool_call tool_use function_call function invoke")
	wrapWords = strings.Fields("tool_calls function_calls")
)

// names are the names of the offered tools.
type names struct {
	folded []string
	tags   []string // folded names of all tags that may open calls
	heads  []string // beginnings of values that are calls, see valueHead
	// calls come only as text, so that calls of unknown tools count, too, and get an error as their result
	text bool
}

// The text before the name of a tool in an object, without the characters that callMarkers replaces.
var (
	headWraps   = []string{"{", "{type:function,", "{toolcalls:[{type:function,function:{"}
	headKeys    = []string{"name:", "tool:", "toolname:", "function:", "action:"}
	callMarkers = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", `"`, "", "'", "", "_", "", "}", ",")
)

func newNames(all []string, text bool) names {
	n := names{text: text}
	for _, word := range slices.Concat(callWords, wrapWords, all) {
		if name := FoldName(word); !slices.Contains(blockTags, name) {
			n.tags = append(n.tags, name)
		}
	}
	for _, name := range all {
		name = FoldName(name)
		n.folded = append(n.folded, name)
		for _, wrap := range headWraps {
			for _, key := range headKeys {
				n.heads = append(n.heads, wrap+key+name+",")
			}
		}
		n.heads = append(n.heads, name+"(")
	}
	return n
}

func (n *names) has(name string) bool { return slices.Contains(n.folded, FoldName(name)) }

// FoldName returns a name in lower case and without underscores, which models often get wrong.
func FoldName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// namespaces stand in front of the names of tools in the templates of some models.
var namespaces = []string{"functions", "function", "tools", "default_api"}

// PlainName returns the name of a tool without the quotes, namespaces and numbers that models put around it:
// "functions.readNote:0" is "readNote".
func PlainName(name string) string {
	name = strings.Trim(name, " \t\r\n\"'`")
	for _, space := range namespaces {
		rest, ok := strings.CutPrefix(name, space)
		if ok && rest != "" && strings.IndexByte(".:/", rest[0]) >= 0 {
			name = rest[1:]
			break
		}
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}

// lastName returns the last word of text that is the name of a tool, "" if there is none.
func (n *names) lastName(text string) (name string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) }) {
		if n.has(word) {
			name = word
		}
	}
	return name
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// open examines the beginning of a line. With behind, it also recognizes what belongs to the call before it. used
// is the length of that.
func (n *names) open(text []byte, behind bool) (f form, v verdict, used int) {
	marks := bytes.TrimLeft(text, " ")
	lead := len(text) - len(marks)
	switch {
	case lead > 3 && !behind:
		return f, isText, 0
	case len(marks) == 0:
		return f, mayOpen, 0
	case strings.IndexByte("<[{`", marks[0]) < 0 && !behind:
		return f, isText, 0
	}
	t := string(marks)
	result := resultOf(t)
	if result == results {
		return f, results, 0
	}
	if f, v = openingToken(t); v == isText && behind {
		v, used = closingMark(t)
	}
	for _, dialect := range [...]func(string) (form, verdict){n.tag, n.bareValue, n.inFence} {
		if v == isText {
			f, v = dialect(t)
		}
	}
	if v == opens && strings.HasSuffix(t, "(") { // of a list, the items alone are read
		f.begin = strings.LastIndexAny(t, "[\n") + 1
	}
	if v == isText {
		v = result
	}
	f.begin += lead
	return f, v, lead + used
}

// resultOf examines a text for the mark of a result.
func resultOf(t string) verdict {
	for _, mark := range resultMarks {
		if strings.HasPrefix(mark+"s", t) {
			return mayOpen
		}
		rest, ok := strings.CutPrefix(t, mark)
		if rest = strings.TrimPrefix(rest, "s"); ok && rest != "" && !isWord(rune(rest[0])) {
			return results
		}
	}
	return isText
}

func openingToken(t string) (form, verdict) {
	for _, tok := range tokens {
		switch {
		case strings.HasPrefix(t, tok):
			return form{begin: len(tok)}, opens
		case strings.HasPrefix(tok, t):
			return form{}, mayOpen
		}
	}
	return form{}, isText
}

// Tags and tokens that close something, whole and not yet whole, where U+FFFD is the beginning of a character.
var (
	closing  = regexp.MustCompile(`^<[/|｜][^\s>]*>`)
	mayClose = regexp.MustCompile(`^<(?:[/|｜\x{FFFD}][^\s>]{0,60})?$`)
)

// closingMark examines a text for a tag, a token or the marks of a fence that close something.
func closingMark(t string) (verdict, int) {
	if marks := countBackticks(t); marks > 2 && marks < len(t) && !isWord(rune(t[marks])) {
		return closes, marks
	}
	if mark := closing.FindString(t); mark != "" {
		return closes, len(mark)
	}
	if mayClose.MatchString(t) {
		return mayOpen, 0
	}
	return isText, 0
}

// countBackticks returns the number of backticks at the beginning of a text.
func countBackticks(t string) int { return len(t) - len(strings.TrimLeft(t, "`")) }

// openingTag matches a tag that may open a call, with its name and the name of a tool in it. A tag with other
// attributes is none, unless it is the whole call: the results of tools have them.
var openingTag = regexp.MustCompile(
	`^<([\w.]+)(?:(?:\s+(?:name|tool)\s*=\s*|=)["'“]?([\w.:]+)["'”]?)?(?:\s*>|([^<>]*/>))`)

// tag examines a text for a tag that opens a call.
func (n *names) tag(t string) (form, verdict) {
	if t[0] != '<' {
		return form{}, isText
	}
	rest := strings.TrimLeftFunc(t[1:], func(r rune) bool { return r == '.' || isWord(r) })
	word := FoldName(t[1 : len(t)-len(rest)])
	known := slices.Contains(n.tags, word)
	begun := rest == "" && slices.ContainsFunc(n.tags, func(tag string) bool { return strings.HasPrefix(tag, word) })
	switch m := openingTag.FindStringSubmatch(t); {
	case begun, known && !strings.ContainsAny(rest, ">\n") && len(t) < maxTag:
		return form{}, mayOpen
	case m == nil || !known:
		return form{}, isText
	case slices.Contains(wrapWords, strings.ToLower(m[1])):
		return form{begin: len(m[0])}, wraps
	default:
		f := form{name: PlainName(m[2]), word: m[1], begin: len(m[0]) - len(m[3]), single: m[3] != ""}
		if !slices.Contains(callWords, strings.ToLower(m[1])) {
			f.name = m[1]
		}
		if f.name != "" && !n.text && !n.has(f.name) {
			return f, isText
		}
		return f, opens
	}
}

// bareValue examines a text for a value or a call without any mark.
func (n *names) bareValue(t string) (f form, v verdict) {
	if t[0] != '<' && t[0] != '`' {
		v = n.valueHead(t)
	}
	return form{tail: true}, v
}

// fenceWords are the info strings of fences that contain calls. The first two alone are no sure sign.
var fenceWords = []string{"", "json", "tool_call", "tool_calls", "tool_use", "tool_code", "function_call", "tool"}

// inFence examines a text for a fence that contains a call.
func (n *names) inFence(t string) (f form, v verdict) {
	marks := countBackticks(t)
	switch {
	case marks > 0 && marks == len(t) && marks < 20:
		return f, mayOpen
	case marks < 3, marks > 19:
		return f, isText
	}
	line, rest, whole := strings.Cut(t, "\n")
	info := strings.TrimSpace(line[marks:])
	for i, word := range fenceWords {
		switch {
		case whole && strings.EqualFold(word, info):
			return form{tail: i < 2, begin: len(line) + 1}, n.valueHead(rest)
		case !whole && foldPrefix(word, info):
			return f, mayOpen
		}
	}
	return f, isText
}

// valueHead examines the beginning of a value that may be a call of an offered tool.
func (n *names) valueHead(t string) (v verdict) {
	short := len(t) < maxHead
	text := strings.ToLower(callMarkers.Replace(t[:min(len(t), maxHead)]))
	text = strings.TrimPrefix(text, "[")
	for _, head := range n.heads {
		switch {
		case strings.HasPrefix(text, head):
			return opens
		case short && strings.HasPrefix(head, text):
			v = mayOpen
		}
	}
	return v
}
