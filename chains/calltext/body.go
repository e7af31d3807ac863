package calltext

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Call is a parsed call. Arguments are JSON, or the model's text if that could not be parsed.
type Call struct {
	Name      string
	Arguments string
}

// The keys that models use for the parts of a call.
var (
	nameKeys     = strings.Fields("name tool tool_name function_name function recipient_name action")
	argumentKeys = strings.Fields("arguments parameters args input tool_input params kwargs action_input")
)

// readBody parses the text between the marks of a call. name is the name in the opening mark, or "". end is the
// offset after the call: unless the closing mark follows, the rest is something else.
func (n *names) readBody(name, body string) (calls []Call, end int) {
	at := argumentsStart(body)
	said := n.lastName(body[:at])
	switch {
	case at == len(body):
		if name == "" && said != "" {
			calls = []Call{{said, "{}"}}
		}
		return calls, at
	case body[at] == '<':
		return n.readTags(name, body), len(body)
	case pythonCall.MatchString(body[at:]):
		return readPython(body, at)
	}
	name = cmp.Or(name, said)
	v, size := looseValue(body[at:])
	calls, end = fromValue(name, v), at+size
	// one object after another
	if rest := strings.TrimLeft(body[end:], blanks+",;"); name == "" && len(calls) > 0 && strings.HasPrefix(rest, "{") {
		more, size := n.readBody("", rest)
		return append(calls, more...), len(body) - len(rest) + size
	}
	return calls, end
}

// argumentsStart returns the offset in a body at which a value, a tag, or a name before a parenthesis begins;
// len(body) if there is none.
func argumentsStart(body string) int {
	for at := range len(body) {
		word := at > 0 && isWord(rune(body[at-1]))
		switch c := body[at]; {
		case c == '(' && word:
			return len(strings.TrimRightFunc(body[:at], inName))
		case c == '{', c == '[' && !word, c == '<' && !isToken(body[at:]):
			return at
		}
	}
	return len(body)
}

// fromValue returns the calls in an object or a list.
func fromValue(name string, v any) (calls []Call) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			calls = append(calls, fromValue(name, e)...)
		}
	case map[string]any:
		return fromObject(name, v)
	}
	return calls
}

// fromObject returns the calls in an object. If name is known, the object may be only the arguments.
func fromObject(name string, v map[string]any) []Call {
	if name == "" {
		for _, k := range []string{"tool_calls", "function"} {
			if inner := fromValue("", v[k]); inner != nil {
				return inner
			}
		}
	}
	said, nameKey := "", ""
	for _, nameKey = range nameKeys {
		if said, _ = v[nameKey].(string); said != "" {
			said = plainName(said)
			break
		}
	}
	args, given := any(v), false
	for _, k := range argumentKeys {
		if a, ok := v[k]; ok {
			args, given = a, true
			break
		}
	}
	switch {
	case name == "" && said == "":
		return nil
	case name != "" && (!given || len(v) > 1 && FoldName(said) != FoldName(name)):
		return []Call{{name, JSON(v)}} // the object is the arguments
	case !given:
		delete(v, nameKey)
		delete(v, "type")
		delete(v, "id")
	}
	return []Call{{cmp.Or(name, said), arguments(args)}}
}

// arguments returns the arguments of a call as JSON. The value may be a string that contains them.
func arguments(v any) string {
	switch v := v.(type) {
	case nil:
		return "{}"
	case string:
		if args, end := looseValue(v); args != nil && strings.TrimSpace(v[end:]) == "" {
			return JSON(args)
		}
		if strings.TrimSpace(v) == "" {
			return "{}"
		}
	}
	return JSON(v)
}

// pythonCall matches the beginning of a call in Python's syntax, also in a list or after others.
var pythonCall = regexp.MustCompile(`^[\s,;\[]*([\w.]+)\(`)

// readPython parses calls in Python's syntax: localSearch(query="roof").
func readPython(body string, at int) (calls []Call, end int) {
	for end = at; ; {
		m := pythonCall.FindStringSubmatch(body[end:])
		if m == nil {
			break
		}
		l := &looseReader{s: body, i: end + len(m[0]) - 1}
		calls = append(calls, Call{plainName(strings.TrimSuffix(m[1], ".call")), JSON(l.object(')'))})
		end = l.i
	}
	if rest := strings.TrimLeft(body[end:], blanks+",;"); strings.HasPrefix(rest, "]") {
		end = len(body) - len(rest) + 1
	}
	return calls, end
}

// readTags parses a body of tags: calls within the mark of a list, or the arguments of one call, a tag each.
func (n *names) readTags(name, body string) (calls []Call) {
	from := 0 // start of the text that was not read yet
	for at, t := range tagsIn(body) {
		inner, isCall := n.callTag(t)
		if name != "" || at < from || !isCall || t.word == "tool_calls" || t.word == "function_calls" {
			continue
		}
		text, after := untilTag(body[at+t.size:], t.word)
		found, _ := n.readBody(inner, text)
		if len(found) == 0 && inner != "" {
			found = []Call{{inner, "{}"}}
		}
		calls, from = append(calls, found...), len(body)-len(after)
	}
	if len(calls) > 0 {
		return calls
	}
	return n.readArguments(name, body)
}

// readArguments parses a call whose arguments are tags: <query>roof</query>, <parameter
// name="query">roof</parameter>, <parameter=query>roof</parameter>, or
// <arg_key>query</arg_key><arg_value>roof</arg_value>.
func (n *names) readArguments(name, body string) []Call {
	args := map[string]any{}
	key, from := "", 0
	for at, t := range tagsIn(body) {
		if at < from || t.closing {
			continue
		}
		value, after := untilTag(body[at+t.size:], t.word)
		from = len(body) - len(after)
		switch t.word {
		case "arg_key":
			key = strings.TrimSpace(value)
			continue
		case "arg_value":
		case "parameter", "param", "argument", "arg":
			key = t.name
		default:
			key = t.spelled
		}
		if slices.Contains(argumentKeys, key) {
			if inner, _ := n.readBody(" ", value); len(inner) == 1 &&
				json.Unmarshal([]byte(inner[0].Arguments), &args) == nil {
				continue
			}
		}
		if name == "" && slices.Contains(nameKeys, key) {
			name = plainName(value)
		} else if key != "" {
			args[key] = tagValue(value)
		}
	}
	if name = cmp.Or(name, n.lastName(body[:max(0, strings.IndexByte(body, '<'))])); name == "" {
		return nil
	}
	return []Call{{name, JSON(args)}}
}

// tagValue returns an argument in a tag: a list or an object as such, anything else as text.
func tagValue(text string) any {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	trimmed := strings.TrimSpace(text)
	if v, _ := looseValue(trimmed); v != nil && json.Valid([]byte(trimmed)) {
		return v
	}
	return text
}

// untilTag returns the text up to the tag that closes word, and the text after that.
func untilTag(s, word string) (text, after string) {
	for at, t := range tagsIn(s) {
		if t.closing && t.word == word {
			return s[:at], s[at+t.size:]
		}
	}
	return s, ""
}

// String returns the call in the form of the guide.
func (c Call) String() string {
	return "<use_tool name=\"" + c.Name + "\">\n" + c.Arguments + "\n</use_tool>"
}
