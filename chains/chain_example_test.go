package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// moon is a tool: a type with two methods. A tool of chains/tool has a file of its own, and its
// description in a markdown file beside it.
type moon struct{}

func (moon) Spec() chains.ToolSpec {
	return chains.ToolSpec{
		Name: "moonPhase", Description: "The phase of the moon on a day.",
		Schema: `{"type":"object","properties":{"day":{"type":"string"}},"required":["day"],"additionalProperties":false}`,
	}
}

func (moon) Call(_ context.Context, args json.RawMessage) (chains.ToolOutput, error) {
	var a struct{ Day string }
	if err := json.Unmarshal(args, &a); err != nil {
		return chains.ToolOutput{}, err
	}
	return chains.ToolOutput{Text: `{"success":true,"data":"full"}`, Note: a.Day + ": full"}, nil
}

// almanac is a chain: it offers the tools of the session and runs the model's calls until the
// model answers.
type almanac struct{}

func (almanac) Name() string { return "almanac" }

func (almanac) Run(ctx context.Context, t *chains.Turn) error {
	t.Offer()
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	return t.Loop(ctx)
}

// A tool and a chain are options of a session.
func ExampleChain() {
	session := chains.NewSession(chains.Options{
		Gather: nothing{},
		Chain:  almanac{}, Tools: chains.Toolbox{List: []chains.Tool{moon{}}},
		Model: chaintest.New( // a model that looks it up and answers
			chaintest.Reply{ToolCalls: []prompt.ToolCall{{ID: "1", Name: "moonPhase", Arguments: `{"day":"2026-11-24"}`}}},
			chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
				return chaintest.Reply{Text: "The moon is " + phase(r.Messages) + "."}
			}},
		),
	})
	for event, err := range session.Send(context.Background(), chains.Input{Text: "Is the moon full on Tuesday?"}) {
		switch e := event.(type) {
		case nil:
			fmt.Println(err)
		case chains.ToolDone:
			fmt.Println(e.Call.Name, e.State, e.Note)
		case chains.TextDelta:
			fmt.Println(e.Text)
		}
	}
	// Output:
	// moonPhase done 2026-11-24: full
	// The moon is full.
}

// phase returns the data of the last result.
func phase(messages []prompt.Message) string {
	_, rest, _ := strings.Cut(messages[len(messages)-1].Content, `"data":"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// nothing is the Gatherer of a vault without notes.
type nothing struct{ chains.Gatherer }

func (nothing) Mentions(context.Context, string, ...chains.Span) ([]prompt.Ref, []prompt.MissingRef) {
	return nil, nil
}

func (nothing) Withheld() error                                           { return nil }
func (nothing) Refetch(context.Context, []prompt.Ref) []prompt.MissingRef { return nil }

func (nothing) Gather(context.Context, []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error) {
	return nil, nil, nil
}

func (nothing) Current(context.Context, []prompt.Item) (map[string]prompt.Current, []prompt.Move, error) {
	return nil, nil, nil
}
