package chains

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// arguments reads what a model sent for a tool with this schema. What models get
// wrong and everybody can tell is put right: repaired says what. An error is in
// words for the model.
func arguments(schema, sent string) (args json.RawMessage, repaired []string, err error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		return nil, nil, fmt.Errorf("the schema of the tool: %w", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the schema of the tool: %w", err)
	}
	if strings.TrimSpace(sent) == "" {
		sent = "{}"
	}
	var v any
	if err := json.Unmarshal([]byte(sent), &v); err != nil {
		return nil, nil, fmt.Errorf("the arguments are not JSON: %w", err)
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
		if p := s.Properties[name]; p != nil {
			if said := repair(object, name, p); said != "" {
				repaired = append(repaired, said)
			}
		}
	}
	if err := resolved.Validate(object); err != nil {
		return nil, nil, fmt.Errorf("%s", plainly(err))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil { // keys are sorted: the canonical form
		return nil, nil, err
	}
	return bytes.TrimSpace(b.Bytes()), repaired, nil
}

// repair puts one argument right. A null is as good as nothing, one string as a
// list of one; a number or a boolean in quotes is worth a word.
func repair(object map[string]any, name string, p *jsonschema.Schema) (said string) {
	wants := func(kind string) bool { return p.Type == kind || slices.Contains(p.Types, kind) }
	text, isText := object[name].(string)
	switch {
	case object[name] == nil && !wants("null"):
		delete(object, name)
	case wants("string") && !isText:
		if r, ok := days(object[name]); ok {
			object[name] = r
		}
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

// days is a time range in milliseconds as its first and last day.
func days(v any) (string, bool) {
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

// plainly is a validation error without the validator's own places: "limit:
// minimum: 0 is less than 1".
func plainly(err error) string {
	text := schemaPath.ReplaceAllStringFunc(err.Error(), func(m string) string {
		if parts := schemaPath.FindStringSubmatch(m); parts[2] != "" {
			return parts[2] + ": "
		}
		return ""
	})
	return fractions.ReplaceAllString(text, "$1")
}
