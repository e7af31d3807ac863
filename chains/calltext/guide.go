package calltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Tool is the description of a tool for a model.
type Tool struct {
	Name        string
	Description string
	Schema      string // JSON Schema of the arguments
}

// Guide returns the instructions for calls in text, with the form of a call and the tools. It depends on nothing
// but the tools.
func Guide(tools []Tool) string {
	var b strings.Builder
	b.WriteString(guideHead)
	for _, t := range tools {
		b.WriteString("\n\n## " + t.Name + "\n" + t.Description)
		for _, p := range parameters(t.Schema) {
			b.WriteString("\n" + p)
		}
	}
	return b.String()
}

const guideHead = `# Tools
You can look things up in the vault. To call a tool, end your reply with a call in exactly this form, at the beginning of a line and not in a code block:

<use_tool name="localSearch">
{"query":"barn roof"}
</use_tool>

The arguments are one JSON object. Several calls may follow each other. Write nothing behind them: the results come in the next message, and only then you answer. Call a tool if the question is about what the person may have noted and you do not see it; answer at once if you do. Never invent a result, and never show or explain a call. The tools, with "*" at arguments that are needed:`

// parameters describes the arguments of a tool, one a line, in the order of the schema.
func parameters(schema string) (lines []string) {
	var s struct {
		Properties json.RawMessage
		Required   []string
	}
	if json.Unmarshal([]byte(schema), &s) != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		name, _ := key.(string)
		var p jsonschema.Schema
		if err != nil || d.Decode(&p) != nil {
			return lines
		}
		lines = append(lines, parameter(name, &p, slices.Contains(s.Required, name)))
	}
	return lines
}

// parameter describes one argument.
func parameter(name string, p *jsonschema.Schema, required bool) string {
	if required {
		name += "*"
	}
	kind := p.Type
	if p.Items != nil {
		kind = "list of " + p.Items.Type
	}
	about := []string{kind}
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		about = append(about, fmt.Sprintf("%v to %v", *p.Minimum, *p.Maximum))
	case p.Minimum != nil:
		about = append(about, fmt.Sprintf("at least %v", *p.Minimum))
	}
	if len(p.Enum) > 0 {
		about[0] = "one of " + strings.Trim(JSON(p.Enum), "[]")
	}
	if p.Default != nil {
		about = append(about, "default "+string(p.Default))
	}
	line := "- " + name + " (" + strings.Join(about, ", ") + ")"
	if p.Description != "" {
		line += ": " + p.Description
	}
	return line
}
