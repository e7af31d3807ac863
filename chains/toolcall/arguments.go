package toolcall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"ibid/chains/calltext"
)

// Arguments parses what a model sent for a tool with this schema. It corrects common mistakes with a clear meaning;
// repaired describes them. An error is in words for the model.
func Arguments(schema, sent string) (args json.RawMessage, repaired []string, err error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		return nil, nil, fmt.Errorf("the schema of the tool: %w", err)
	}
	if strings.TrimSpace(sent) == "" {
		sent = "{}"
	}
	var v any
	if err := json.Unmarshal([]byte(sent), &v); err != nil {
		data, size, whole := calltext.Mend(strings.TrimSpace(sent))
		if !whole || size < len(strings.TrimSpace(sent)) || json.Unmarshal(data, &v) != nil {
			return nil, nil, fmt.Errorf("the arguments are not JSON: %w", err)
		}
		repaired = append(repaired, "the punctuation of the arguments was corrected")
	}
	if text, ok := v.(string); ok {
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return nil, nil, fmt.Errorf("the arguments are not JSON: %w", err)
		}
		repaired = append(repaired, "the arguments were wrapped in a string")
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("the arguments are not an object")
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if own := ownName(&s, object, name); own != "" {
			object[own] = object[name]
			delete(object, name)
			repaired = append(repaired, name+" was read as "+own)
			name = own
		}
		if p := s.Properties[name]; p != nil {
			for _, mend := range []func(map[string]any, string, *jsonschema.Schema) string{repair, clamp} {
				if said := mend(object, name, p); said != "" {
					repaired = append(repaired, said)
				}
			}
		}
	}
	// a missing list is as good as an empty one
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool {
		return object[name] == nil && s.Properties[name] != nil && s.Properties[name].Type == "array"
	})
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the schema of the tool: %w", err)
	}
	if err := resolved.Validate(object); err != nil {
		return nil, nil, fmt.Errorf("%s", validationMessage(err))
	}
	return json.RawMessage(calltext.JSON(object)), repaired, nil // the canonical form
}

// aliases are names of arguments with the same meaning, a line each, in the form of calltext.FoldName.
const aliases = `
path note file notepath noteid filename filepath reference name title
query q search searchquery question keywords text
content text body contents
expression timerange time range date text query
folder dir directory
limit count max maxresults topk
oldtext old oldstring
newtext new newstring
statement fact memory text
chunkindex chunk index page
url uri address link`

// ownName returns the tool's name for an argument with an alias, "" if the tool has no such argument or several, or
// if it was given, too.
func ownName(s *jsonschema.Schema, object map[string]any, name string) (own string) {
	if s.Properties[name] != nil {
		return ""
	}
	for line := range strings.Lines(aliases + "\n" + calltext.FoldName(name)) {
		same := strings.Fields(line)
		if !slices.Contains(same, calltext.FoldName(name)) {
			continue
		}
		for p := range s.Properties {
			if !slices.Contains(same, calltext.FoldName(p)) || p == own {
				continue
			}
			if _, given := object[p]; given || own != "" {
				return ""
			}
			own = p
		}
	}
	return own
}

// clamp brings an argument within the limits of the tool, and describes the change.
func clamp(object map[string]any, name string, p *jsonschema.Schema) (said string) {
	switch v := object[name].(type) {
	case float64:
		limit := p.Maximum
		if limit == nil || v <= *limit {
			if limit = p.Minimum; limit == nil || v >= *limit {
				return ""
			}
		}
		object[name] = *limit
		return fmt.Sprintf("%s %.0f is beyond the limit: %.0f was used", name, v, *limit)
	case string:
		if name == "query" { // cutting another argument would change its meaning: a name, a time, a text
			object[name], said = shorten(name, v, p)
			return said
		}
	case []any:
		for i := range v {
			if text, ok := v[i].(string); ok && p.Items != nil {
				short, why := shorten(name, text, p.Items)
				v[i], said = short, cmp.Or(why, said)
			}
		}
		if p.MaxItems != nil && len(v) > *p.MaxItems {
			object[name] = v[:*p.MaxItems]
			return fmt.Sprintf("%s had %d elements: the first %d were used", name, len(v), *p.MaxItems)
		}
	}
	return said
}

// shorten cuts words to search for to their limit, and describes the change.
func shorten(name, words string, p *jsonschema.Schema) (cut, said string) {
	n := utf8.RuneCountInString(words)
	if p.MaxLength == nil || n <= *p.MaxLength {
		return words, ""
	}
	return CutWords(words, *p.MaxLength),
		fmt.Sprintf("%s had %d characters: the words within the first %d were used", name, n, *p.MaxLength)
}

// CutWords cuts a text to at most so many characters, at the end of a word.
func CutWords(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	cut := string(r[:most])
	if at := strings.LastIndexAny(cut, " \t\n"); at > 0 && !unicode.IsSpace(r[most]) {
		cut = cut[:at]
	}
	return cut
}

// repair corrects one argument. It removes a null and puts a single string into a list silently; it describes the
// change for a number or a boolean in quotes.
func repair(object map[string]any, name string, p *jsonschema.Schema) (said string) {
	wants := func(kind string) bool { return p.Type == kind || slices.Contains(p.Types, kind) }
	text, isText := object[name].(string)
	if !wants("string") || len(p.Enum) > 0 { // in tags there may be blanks around a value
		text = strings.TrimSpace(text)
	}
	switch {
	case object[name] == nil && !wants("null"):
		delete(object, name)
	case wants("string") && !isText:
		if r, ok := dayRange(object[name]); ok {
			object[name] = r
		}
	case isText && len(p.Enum) > 0:
		object[name] = text
	case !isText || wants("string"):
	case wants("array"):
		object[name] = []any{text}
	case wants("boolean") && (text == "true" || text == "false"):
		object[name] = text == "true"
		return name + " was a boolean in quotes"
	case wants("integer") || wants("number"):
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			object[name] = n
			return name + " was a number in quotes"
		}
	}
	return ""
}

// dayRange converts a time range in milliseconds to its first and last day.
func dayRange(v any) (string, bool) {
	r, _ := v.(map[string]any)
	start, ok := r["startTime"].(float64)
	end, ok2 := r["endTime"].(float64)
	day := func(ms float64) string { return time.UnixMilli(int64(ms)).Format(time.DateOnly) }
	return day(start) + "/" + day(end), ok && ok2
}

var (
	schemaPath = regexp.MustCompile(`validating (root|\S*?/properties/([^/:]+)|\S+): `)
	fractions  = regexp.MustCompile(`(\d)(?:\.000000|/1)\b`)
)

// validationMessage returns a validation error without the validator's own paths: "limit: minimum: 0 is less than
// 1".
func validationMessage(err error) string {
	text := schemaPath.ReplaceAllStringFunc(err.Error(), func(m string) string {
		if parts := schemaPath.FindStringSubmatch(m); parts[2] != "" {
			return parts[2] + ": "
		}
		return ""
	})
	return fractions.ReplaceAllString(text, "$1")
}
