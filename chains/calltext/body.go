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

// readBody parses the text between the marks of a call, whose value begins at an offset. name is the name in the
// opening mark, or "".
func (n *names) readBody(name, body string, at int) []Call {
	raw := body
	if name == "" {
		name = n.lastName(body[:at])
		_, raw, _ = strings.Cut(body, name)
	}
	v := mended(body[at:])
	if v != nil || name == "" {
		return fromValue(name, v)
	}
	return []Call{{name, cmp.Or(strings.Trim(raw, blanks), "{}")}}
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
			said = PlainName(said)
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
	if args == nil {
		args = map[string]any{}
	}
	return []Call{{cmp.Or(name, said), JSON(args)}}
}

// argumentTag matches the tag that opens an argument: <query>roof</query>, <parameter name="query">roof</parameter>,
// <parameter=query>roof</parameter>, or one half of <arg_key>query</arg_key><arg_value>roof</arg_value>.
var argumentTag = regexp.MustCompile(`<([\w.]+)(?:[ =](?:name=)?["']?([\w.]+)["']?)?>`)

// readTags parses a body whose arguments are tags.
func (n *names) readTags(name, body string) []Call {
	args, key, read := map[string]any{}, "", 0
	for _, at := range argumentTag.FindAllStringSubmatchIndex(body, -1) {
		m := argumentTag.FindStringSubmatch(body[at[0]:at[1]])
		if at[0] < read || slices.Contains(n.tags, FoldName(m[1])) {
			continue // within an argument, or the tag of a call
		}
		if read == 0 {
			name = cmp.Or(name, n.lastName(body[:at[0]]))
		}
		value, _, closed := strings.Cut(body[at[1]:], "</"+m[1]+">")
		if !closed {
			value, _, _ = strings.Cut(value, "</")
		}
		tag := cmp.Or(m[2], m[1])
		around := slices.Contains(argumentKeys, tag)
		if around && strings.HasPrefix(strings.TrimLeft(value, blanks), "<") {
			read = at[1]
			continue
		}
		read = at[1] + len(value)
		value = strings.Trim(value, "\r\n")
		object := Object(value)
		switch {
		case around && object != nil:
			args = object
			continue
		case tag == "arg_key":
			key = strings.Trim(value, blanks)
			continue
		case name == "" && slices.Contains(nameKeys, tag):
			name = PlainName(value)
			continue
		case tag != "arg_value":
			key = tag
		}
		var list []any
		if args[key] = value; json.Unmarshal([]byte(value), &list) == nil {
			args[key] = list
		}
	}
	if name == "" {
		return nil
	}
	return []Call{{name, JSON(args)}}
}

// String returns the call in the form of the guide.
func (c Call) String() string {
	return "<use_tool name=\"" + c.Name + "\">\n" + c.Arguments + "\n</use_tool>"
}
