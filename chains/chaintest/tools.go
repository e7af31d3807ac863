package chaintest

import (
	"context"
	"encoding/json"
	"sync"

	"ibid/chains"
	"ibid/vault/edit"
)

// Finding is a chain that calls one tool with the question before its request.
type Finding struct{ Tool chains.Tool }

// Name is "finding".
func (Finding) Name() string { return "finding" }

// Open calls the tool with the question.
func (f Finding) Open(ctx context.Context, t *chains.Turn) error {
	args, err := json.Marshal(map[string]string{"query": t.Question()})
	if err != nil {
		return err
	}
	out, err := f.Tool.Call(ctx, args)
	if err == nil {
		t.Use(f.Tool.Spec().Name, out)
	}
	return err
}

// Run sends one request.
func (Finding) Run(ctx context.Context, t *chains.Turn) error {
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	_, err := t.Stream(ctx)
	return err
}

// Tool is a chains.Tool made of a function.
type Tool struct {
	ToolSpec chains.ToolSpec
	Func     func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error)

	mu    sync.Mutex
	calls []string
}

// Spec describes the tool.
func (t *Tool) Spec() chains.ToolSpec { return t.ToolSpec }

// Call runs Func and records the arguments.
func (t *Tool) Call(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
	t.mu.Lock()
	t.calls = append(t.calls, string(args))
	t.mu.Unlock()
	return t.Func(ctx, args)
}

// Calls returns the arguments of the calls so far, those of simultaneous calls in no particular
// order.
func (t *Tool) Calls() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.calls...)
}

// QuerySchema is a schema of a text and a few other kinds of arguments.
const QuerySchema = `{"type":"object","properties":{"query":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":30},"tags":{"type":"array","items":{"type":"string"}},"deep":{"type":"boolean"}},"required":["query"],"additionalProperties":false}`

// Reader returns a tool that always finds the same passage.
func Reader(name, path, text string) *Tool {
	return &Tool{
		ToolSpec: chains.ToolSpec{Name: name, Description: "Looks something up.", Schema: QuerySchema},
		Func: func(_ context.Context, args json.RawMessage) (chains.ToolOutput, error) {
			var a struct {
				Query string `json:"query"`
			}
			if err := json.Unmarshal(args, &a); err != nil {
				return chains.ToolOutput{}, err
			}
			return chains.ToolOutput{
				Attributes: [][2]string{{"query", a.Query}},
				Documents:  []chains.Document{{ID: 1, Title: path, Path: path, Content: text}},
				Sources:    []chains.Source{{ID: 1, Path: path}},
				Note:       "1 note: " + path,
			}, nil
		},
	}
}

// Texts returns a tool whose output is a text.
func Texts(name, text string) *Tool {
	return &Tool{
		ToolSpec: chains.ToolSpec{Name: name, Description: "Says something.", Schema: QuerySchema},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{Text: text, Note: name}, nil
		},
	}
}

// Writer returns a tool that proposes after as the text of path. apply runs when the person has
// approved.
func Writer(name, path, after string, apply func(chains.Decision) (string, error)) *Tool {
	return &Tool{
		ToolSpec: chains.ToolSpec{
			Name: name, Description: "Changes something.", Schema: `{"type":"object"}`, Writes: true,
		},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{Propose: &chains.Proposal{
				Path: path, New: true, Change: edit.Compare("", after),
				Apply: func(_ context.Context, d chains.Decision) (chains.AppliedProposal, error) {
					text, err := apply(d)
					return chains.AppliedProposal{Text: text, Hunks: 1, Of: 1}, err
				},
			}}, nil
		},
	}
}
