package calltext

import (
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
// What stands between the marks is read by readBody, whatever the form.

// form is a call of which the opening was read.
type form struct {
	name  string   // of the tool, "" if it stands inside
	word  string   // of the tag that closes it, "" if none does
	fence md.Fence // that it stands in, the zero Fence if in none
	value bool     // it ends with its first value
	tail  bool     // it counts only as the end of a reply
	whole string   // the arguments of a tag that needs no other to close it
	begin int      // where its body begins
}

// verdict says what a text at the beginning of a line is.
type verdict uint8

const (
	isText verdict = iota
	mayOpen
	opens
	closes  // behind a call: it belongs to that
	results // of a call, as the model makes them up
)

// resultMarks are what results of calls begin with in the forms above. A server or this
// program writes them, never the model.
var resultMarks = []string{
	"<tool_result", "<tool_response", "<tool_output", "<function_result", "<function_response",
	"<|tool_response", "<|tool_output", "<｜tool▁outputs▁begin｜>", "[TOOL_RESULTS]",
}

// Stops are texts at which a server is to end a reply that calls tools in its text: the
// end of a call and the beginning of a result, as the guide and the commonest other form
// write them. Some protocols take no more than four.
func Stops() []string {
	return []string{"</use_tool>", "<tool_result>", "</tool_call>", "<tool_response>"}
}

// tokens are the openings that are no tags. None is the beginning of another.
var tokens = []string{
	"<|tool_call|>", "<|tool_call>", "<|tool_calls|>", "<|tool_call_start|>", "<|tool_call_begin|>", "<|tool_calls_begin|>",
	"<|tool_calls_section_begin|>", "<|function_call|>", "<|python_tag|>", "<|channel|>commentary to=", "<|start|>assistant<|channel|>commentary to=",
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "[TOOL_CALLS]",
}

const (
	longestTag  = 500 // bytes of a tag
	longestHead = 400 // bytes of a value up to the name in it
	longestLead = 200 // bytes between a token and the value that belongs to it
)

// names are the tools that are offered.
type names struct {
	folded []string
	text   bool // calls come as text alone: those of other tools are calls too, to be answered with an error
}

func newNames(all []string, text bool) names {
	n := names{text: text}
	for _, name := range all {
		n.folded = append(n.folded, FoldName(name))
	}
	return n
}

func (n *names) has(name string) bool { return slices.Contains(n.folded, FoldName(name)) }

// FoldName is a name without what models get wrong in it.
func FoldName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// plainName is a name without what stands around it in some forms.
func plainName(name string) string {
	name, _, _ = strings.Cut(strings.Trim(name, " \t\r\n\"'`"), ":")
	return strings.TrimPrefix(strings.TrimPrefix(name, "functions."), "default_api.")
}

// named is the last word of text that is the name of a tool.
func (n *names) named(text string) string {
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

// wordLen is the length of the word, with dots in it, that s begins with.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) && r != '.' })
	if n < 0 {
		return len(s)
	}
	return n
}

// open looks at the beginning of a line. Behind a call, what belongs to that is
// told too. used is how much of text the opening has.
func (n *names) open(text string, behind bool) (f form, v verdict, used int) {
	t := strings.TrimLeft(text, " ")
	lead := len(text) - len(t)
	switch {
	case lead > 3 && !behind:
		return f, isText, 0
	case t == "":
		return f, mayOpen, 0
	}
	result := resultOf(t)
	switch {
	case result == results:
		return f, results, 0
	case t[0] == '{':
		f, v = n.bare(t)
	case t[0] == '[':
		if f, v = token(t); v == isText {
			f, v = n.bare(t)
		}
	case t[0] == '`':
		f, v, used = n.inFence(t, behind)
	case t == "<":
		v = mayOpen
	case isToken(t):
		if f, v = token(t); v == isText && behind {
			v, used = end(t)
		}
	case t[0] == '<':
		if f, v = n.tag(t); v == isText && behind {
			v, used = end(t)
		}
	}
	switch {
	case v == opens:
		f.begin += lead
	case v == isText:
		v = result
	}
	return f, v, lead + used
}

// resultOf looks for the mark of a result.
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

// isToken reports whether a text begins as tokens do, or may yet.
func isToken(t string) bool {
	const wide = "<｜"
	return strings.HasPrefix(t, "<|") || strings.HasPrefix(t, wide) || len(t) < len(wide) && t != "" && t != "<" && strings.HasPrefix(wide, t)
}

func token(t string) (form, verdict) {
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

// end reads a tag or a token that closes something.
func end(t string) (verdict, int) {
	if !strings.HasPrefix("</", t[:min(2, len(t))]) && !isToken(t) || strings.ContainsAny(t, "\n ") || len(t) > 60 {
		return isText, 0
	}
	if i := strings.IndexByte(t, '>'); i >= 0 {
		return closes, i + 1
	}
	return mayOpen, 0
}

// tag looks at a tag.
func (n *names) tag(t string) (form, verdict) {
	word := t[1 : 1+wordLen(t[1:])]
	if len(word) == len(t)-1 { // it may go on
		for _, known := range append(callWords[:len(callWords):len(callWords)], n.folded...) {
			if strings.HasPrefix(FoldName(known), FoldName(word)) {
				return form{}, mayOpen
			}
		}
		return form{}, isText
	}
	if !n.has(word) && !contains(callWords, strings.ToLower(word)) || strings.ContainsAny(t, "\n") || len(t) > longestTag {
		return form{}, isText
	}
	read, size := readTag(t)
	if size == 0 {
		return form{}, mayOpen
	}
	name, ok := n.callTag(read)
	if !ok {
		return form{}, isText
	}
	f := form{name: name, word: read.word, begin: size}
	if read.single {
		f.whole = encode(read.attributes)
	}
	return f, opens
}

// callWords are the tags that open calls, besides the names of tools.
var callWords = []string{"use_tool", "tool_call", "tool_calls", "tool_use", "function_call", "function_calls", "function", "invoke"}

// callTag reports whether a tag opens a call, and of which tool if it says so.
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
	return t.spelled, n.has(t.spelled) && !isBlock(t.word) && (len(t.attributes) == 0 || t.single)
}

// tag is a tag as it is written.
type tag struct {
	spelled    string
	word       string // in lower case
	name       string // what it names: name="…", or the word behind "="
	attributes map[string]any
	closing    bool
	single     bool // nothing closes it
}

// readTag reads the tag at the beginning of s; size is 0 if there is none.
func readTag(s string) (t tag, size int) {
	size = strings.IndexByte(s, '>') + 1
	if size < 3 || size > longestTag {
		return t, 0
	}
	in := s[1 : size-1]
	if in, t.closing = strings.CutPrefix(in, "/"); !t.closing {
		in, t.single = strings.CutSuffix(in, "/")
	}
	n := wordLen(in)
	if t.spelled = in[:n]; n == 0 {
		return t, 0
	}
	t.word, t.attributes = strings.ToLower(t.spelled), map[string]any{}
	rest := in[n:]
	if name, ok := strings.CutPrefix(rest, "="); ok {
		t.name = strings.Trim(name, "\"' ")
		return t, size
	}
	for {
		rest = strings.TrimLeft(rest, " \t\r\n,")
		eq := strings.IndexByte(rest, '=')
		if eq < 0 {
			return t, size
		}
		key := strings.TrimSpace(rest[:eq])
		l := &loose{s: rest, i: eq + 1}
		if l.space(); l.quoteLen() > 0 {
			q := rest[l.i : l.i+1]
			rest = rest[l.i+l.quoteLen():]
			value, after, _ := strings.Cut(rest, q)
			t.attributes[key], rest = value, after
		} else {
			value, after, _ := strings.Cut(rest[l.i:], " ")
			t.attributes[key], rest = value, after
		}
		if key == "name" || key == "tool" {
			t.name, _ = t.attributes[key].(string)
			delete(t.attributes, key)
		}
	}
}

// bare looks at a value that stands by itself.
func (n *names) bare(t string) (form, verdict) {
	return form{value: true, tail: true}, n.head(t)
}

// fenceWords are what stands behind the marks of a fence that holds a call, and
// whether that is enough of a sign.
var fenceWords = []struct {
	word string
	sure bool
}{
	{"", false}, {"json", false}, {"tool_call", true}, {"tool_calls", true}, {"tool_use", true}, {"tool_code", true}, {"function_call", true}, {"tool", true},
}

// inFence looks at a fence. Behind a call, one that holds nothing is the end of that.
func (n *names) inFence(t string, behind bool) (f form, v verdict, used int) {
	marks := 0
	for marks < len(t) && t[marks] == '`' {
		marks++
	}
	switch {
	case marks == len(t) && marks < 20:
		return f, mayOpen, 0
	case marks < 3:
		return f, isText, 0
	case behind && !isWord(rune(t[marks])):
		return f, closes, marks
	}
	line, rest, whole := strings.Cut(t, "\n")
	info := strings.TrimSpace(line[marks:])
	for _, w := range fenceWords {
		switch {
		case whole && strings.EqualFold(w.word, info):
			f = form{fence: md.Fence{Char: '`', Len: marks}, tail: !w.sure, begin: len(line) + 1}
			if rest = strings.TrimLeft(rest, " \t\r\n"); rest == "" && len(t) < longestHead {
				return f, mayOpen, 0
			}
			return f, n.head(rest), 0
		case !whole && len(info) <= len(w.word) && strings.EqualFold(w.word[:len(info)], info):
			return f, mayOpen, 0
		}
	}
	return f, isText, 0
}

// What may stand in front of the name of a tool in a value, without blanks, marks
// of quotation, underscores and capitals.
var heads = func() (all []string) {
	for _, list := range []string{"", "["} {
		all = append(all, list)
		for _, object := range []string{"{", "{toolcalls:[{", "{type:function,", "{type:function,function:{", "{function:{", "{toolcalls:[{type:function,function:{"} {
			for _, key := range []string{"name:", "tool:", "toolname:", "function:", "functionname:", "action:"} {
				all = append(all, list+object+key)
			}
		}
	}
	return all
}()

// head looks at the beginning of a value that may be a call of a tool that is offered.
func (n *names) head(t string) verdict {
	if len(t) > longestHead {
		t = t[:longestHead]
	}
	if t != "" && t[0] != '{' && t[0] != '[' && !isWord(rune(t[0])) {
		return isText
	}
	var b strings.Builder
	for _, c := range []byte(t) {
		switch c {
		case ' ', '\t', '\r', '\n', '"', '\'', '_':
		default:
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
		}
	}
	text, may := b.String(), false
	for _, h := range heads {
		if h != "" && text != "" && h[0] != text[0] {
			continue
		}
		rest, ok := strings.CutPrefix(text, h)
		if !ok {
			may = may || strings.HasPrefix(h, text)
			continue
		}
		rest = strings.TrimPrefix(rest, "functions.")
		for _, name := range n.folded {
			after, ok := strings.CutPrefix(rest, name)
			switch {
			case !ok || after == "":
				may = may || ok || strings.HasPrefix(name, rest) || strings.HasPrefix("functions.", rest)
			case len(h) <= 1 && after[0] == '(', len(h) > 1 && strings.IndexByte(",}", after[0]) >= 0:
				return opens
			}
		}
	}
	if may && len(t) < longestHead {
		return mayOpen
	}
	return isText
}
