package calltext

import (
	"encoding/json"
	"maps"
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

// parameters describes the arguments of a tool, one a line, the required ones first.
func parameters(schema string) (lines []string) {
	var s jsonschema.Schema
	if json.Unmarshal([]byte(schema), &s) != nil {
		return nil
	}
	optional := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)), func(name string) bool {
		return slices.Contains(s.Required, name)
	})
	for _, name := range s.Required {
		lines = append(lines, parameter(name+"*", s.Properties[name]))
	}
	for _, name := range optional {
		lines = append(lines, parameter(name, s.Properties[name]))
	}
	return lines
}

// parameter describes one argument.
func parameter(name string, p *jsonschema.Schema) string {
	kind := p.Type
	switch {
	case p.Items != nil:
		kind = "list of " + p.Items.Type
	case len(p.Enum) > 0:
		kind = "one of " + strings.Trim(JSON(p.Enum), "[]")
	}
	return strings.TrimSuffix("- "+name+" ("+kind+"): "+p.Description, ": ")
}
