package calltext

import (
	"encoding/json"
	"strings"
)

// Call is a call as it was read. Arguments are JSON; those that could not be read
// are as the model wrote them.
type Call struct {
	Name      string
	Arguments string
}

// The names under which models put the parts of a call.
var (
	nameKeys     = []string{"name", "tool", "tool_name", "function_name", "function", "recipient_name", "action"}
	argumentKeys = []string{"arguments", "parameters", "args", "input", "tool_input", "params", "kwargs", "action_input"}
)

// readBody reads what stands between the marks of a call. name is what the mark
// says, "" if it says none. end is how far it was read: what stands behind is
// something else, unless the mark at the end follows.
func (n *names) readBody(name, body string) (calls []Call, end int) {
	at := beginning(body)
	switch {
	case at < 0:
		if said := n.named(body); name == "" && said != "" {
			return []Call{{said, "{}"}}, len(body)
		}
		return nil, len(body)
	case body[at] == '<':
		return n.readTags(name, body), len(body)
	}
	said := n.named(body[:at])
	if name == "" {
		name = said
	}
	if body[at] == '(' || body[at] == '[' && python(body[at+1:]) {
		return n.readPython(body, at)
	}
	v, size, _ := looseValue(body[at:])
	end = at + size
	switch v := v.(type) {
	case map[string]any:
		calls = append(calls, fromObject(name, v)...)
	case []any:
		for _, e := range v {
			if e, ok := e.(map[string]any); ok {
				calls = append(calls, fromObject(name, e)...)
			}
		}
	}
	if rest := strings.TrimLeft(body[end:], " \t\r\n,;"); name == "" && len(calls) > 0 && strings.HasPrefix(rest, "{") { // one object behind the other
		more, size := n.readBody("", rest)
		return append(calls, more...), len(body) - len(rest) + size
	}
	return calls, end
}

// beginning is where the arguments in a body begin: a value, a tag, or the bracket
// behind a name; -1 if there are none.
func beginning(body string) int {
	for at := 0; at < len(body); at++ {
		word := at > 0 && isWord(rune(body[at-1]))
		switch c := body[at]; {
		case c == '{', c == '[' && !word, c == '(' && word, c == '<' && !isToken(body[at:]):
			return at
		}
	}
	return -1
}

// fromObject reads a call from an object, which may be no more than its arguments
// if the name is known.
func fromObject(name string, v map[string]any) []Call {
	if list, ok := v["tool_calls"].([]any); ok && name == "" {
		var calls []Call
		for _, e := range list {
			if e, ok := e.(map[string]any); ok {
				calls = append(calls, fromObject("", e)...)
			}
		}
		return calls
	}
	if inner, ok := v["function"].(map[string]any); ok && name == "" {
		return fromObject("", inner)
	}
	args, argsKey := any(nil), ""
	for _, k := range argumentKeys {
		if a, ok := v[k]; ok {
			args, argsKey = a, k
			break
		}
	}
	said, nameKey := "", ""
	for _, k := range nameKeys {
		if s, ok := v[k].(string); ok && s != "" {
			said, nameKey = plainName(s), k
			break
		}
	}
	switch {
	case name == "" && said == "":
		return nil
	case name != "" && (argsKey == "" || len(v) > 1 && FoldName(said) != FoldName(name)):
		return []Call{{name, encode(v)}} // the object is the arguments
	case argsKey == "":
		delete(v, nameKey)
		delete(v, "type")
		delete(v, "id")
		args = v
	}
	if name == "" {
		name = said
	}
	return []Call{{name, arguments(args)}}
}

// arguments are those of a call, which may be wrapped in a text.
func arguments(v any) string {
	switch v := v.(type) {
	case nil:
		return "{}"
	case string:
		if args, end, ok := looseValue(v); ok && strings.TrimSpace(v[end:]) == "" {
			return encode(args)
		}
		if strings.TrimSpace(v) == "" {
			return "{}"
		}
	}
	return encode(v)
}

// python reports whether a list holds calls as Python writes them.
func python(list string) bool {
	list = strings.TrimLeft(list, " \t\r\n")
	n := wordLen(list)
	return n > 0 && strings.HasPrefix(list[n:], "(")
}

// readPython reads calls as Python writes them: localSearch(query="roof").
func (n *names) readPython(body string, at int) (calls []Call, end int) {
	if body[at] == '[' {
		at++
	}
	for end = at; ; {
		open := strings.IndexByte(body[end:], '(')
		if open < 0 {
			return calls, len(body)
		}
		before := body[end : end+open]
		if end == at {
			before = body[:end+open]
		}
		fields := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t\r\n,[;", r) })
		if len(fields) == 0 {
			return calls, len(body)
		}
		name := plainName(strings.TrimSuffix(fields[len(fields)-1], ".call"))
		l := &loose{s: body, i: end + open}
		args := l.object(')')
		calls = append(calls, Call{name, encode(args)})
		end = l.i
		if rest := strings.TrimLeft(body[end:], " \t\r\n,;"); !python(rest) {
			if strings.HasPrefix(rest, "]") {
				end = len(body) - len(rest) + 1
			}
			return calls, end
		}
	}
}

// readTags reads a body of tags: calls within the mark of a list, or the arguments
// of one call, a tag each.
func (n *names) readTags(name, body string) (calls []Call) {
	if name == "" {
		rest := body
		for {
			i := strings.IndexByte(rest, '<')
			if i < 0 {
				break
			}
			t, size := readTag(rest[i:])
			inner, isCall := n.callTag(t)
			if size == 0 || !isCall || t.word == "tool_calls" || t.word == "function_calls" {
				rest = rest[i+1:]
				continue
			}
			text, after := untilTag(rest[i+size:], t.word)
			found, _ := n.readBody(inner, text)
			if len(found) == 0 && inner != "" {
				found = []Call{{inner, "{}"}}
			}
			calls, rest = append(calls, found...), after
		}
		if len(calls) > 0 {
			return calls
		}
	}
	args := map[string]any{}
	for _, p := range tags(body) {
		value := p.value
		if p.key == "" {
			continue
		}
		if contains(argumentKeys, p.key) {
			inner, _ := n.readBody(" ", value)
			if len(inner) == 1 {
				var more map[string]any
				if json.Unmarshal([]byte(inner[0].Arguments), &more) == nil {
					for k, v := range more {
						args[k] = v
					}
				}
				continue
			}
		}
		if name == "" && contains(nameKeys, p.key) {
			name = plainName(strings.TrimSpace(value))
			continue
		}
		args[p.key] = tagValue(value)
	}
	if name == "" {
		name = n.named(body[:max(0, strings.IndexByte(body, '<'))])
	}
	if name == "" {
		return nil
	}
	return []Call{{name, encode(args)}}
}

// pair is an argument in tags.
type pair struct{ key, value string }

// tags are the arguments in a body of tags: <query>roof</query>, <parameter
// name="query">roof</parameter>, <parameter=query>roof</parameter>, or
// <arg_key>query</arg_key><arg_value>roof</arg_value>.
func tags(body string) (all []pair) {
	key := ""
	for {
		i := strings.IndexByte(body, '<')
		if i < 0 {
			return all
		}
		t, size := readTag(body[i:])
		if size == 0 || t.closing {
			body = body[i+1:]
			continue
		}
		value, after := untilTag(body[i+size:], t.word)
		switch t.word {
		case "arg_key":
			key = strings.TrimSpace(value)
		case "arg_value":
			all = append(all, pair{key, value})
		case "parameter", "param", "argument", "arg":
			all = append(all, pair{t.name, value})
		default:
			all = append(all, pair{t.spelled, value})
		}
		body = after
	}
}

// tagValue is an argument in a tag: a list or an object as such, all else as text.
func tagValue(text string) any {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	trimmed := strings.TrimSpace(text)
	if v, _, ok := looseValue(trimmed); ok && json.Valid([]byte(trimmed)) {
		return v
	}
	return text
}

// untilTag is the text up to the tag that closes word, and what stands behind that.
func untilTag(s, word string) (text, after string) {
	for at := 0; ; {
		i := strings.Index(s[at:], "</")
		if i < 0 {
			return s, ""
		}
		at += i
		if t, size := readTag(s[at:]); size > 0 && t.word == word {
			return s[:at], s[at+size:]
		}
		at += 2
	}
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// String is the call as the guide tells to write it.
func (c Call) String() string {
	return "<use_tool name=\"" + c.Name + "\">\n" + c.Arguments + "\n</use_tool>"
}
