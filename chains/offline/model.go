package offline

import (
	"context"
	"iter"
	"regexp"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// Name is the name of the model and of its server.
const Name = "offline"

var info = chains.ModelInfo{ID: Name, Chat: true, Loaded: true}

// Notice is the message that a person gets once a session while this model answers. It is no part of a reply, so it
// is neither saved nor sent.
const Notice = "No language model is connected: the offline model can only quote. " +
	"To connect one, set OPENAI_API_KEY, start Ollama or LM Studio, or give --base-url; `ibid doctor` says what it finds."

// Options configure a Model. The zero value streams without pauses.
type Options struct {
	// Delay is the pause between two deltas, for a person who reads along. Leave it 0 for pipes and tests.
	Delay time.Duration
	// Count returns the number of tokens of a text; nil counts bytes/4, rounded up.
	Count func(text string) int
	// Recorder records every request and reply; may be nil.
	Recorder *wire.Recorder
}

// Model is a chains.Model that answers by quoting the documents of the request, and also its own chains.Server.
type Model struct{ opts Options }

var (
	_ chains.Model  = (*Model)(nil)
	_ chains.Server = (*Model)(nil)
)

// New returns a Model.
func New(o Options) *Model {
	if o.Count == nil {
		o.Count = prompt.ApproximateTokens
	}
	return &Model{o}
}

// Name implements chains.Server.
func (m *Model) Name() string { return Name }

// Local implements chains.Server.
func (m *Model) Local() bool { return true }

// Model implements chains.Server. It returns the same model for every name.
func (m *Model) Model(string) chains.Model { return m.opts.Recorder.Recorded(m) }

// Models implements chains.Server.
func (m *Model) Models(context.Context) ([]chains.ModelInfo, error) {
	return []chains.ModelInfo{info}, nil
}

// Known implements chains.Server.
func (m *Model) Known(model string) (chains.ModelInfo, bool) {
	return info, model == "" || model == Name
}

// Stream answers r, about a word per delta. The last delta has the usage and the reason for the end. The only error
// is that of ctx.
func (m *Model) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		text, err := m.reply(ctx, r)
		if err != nil {
			yield(chains.Delta{}, err)
			return
		}
		usage := chains.Usage{Cached: -1, CacheWrite: -1}
		for _, msg := range r.Messages {
			usage.Prompt += m.opts.Count(msg.Content)
		}
		finish := chains.FinishStop
		sent := 0
		for _, piece := range piece.FindAllString(text, -1) {
			if r.MaxTokens > 0 && m.opts.Count(text[:sent+len(piece)]) > r.MaxTokens {
				finish = chains.FinishLength
				break
			}
			if err := m.pause(ctx, sent == 0); err != nil {
				yield(chains.Delta{}, err)
				return
			}
			sent += len(piece)
			if !yield(chains.Delta{Text: piece}, nil) {
				return
			}
		}
		usage.Completion = m.opts.Count(text[:sent])
		yield(chains.Delta{Usage: &usage, Finish: finish}, nil)
	}
}

// pause waits between two deltas and returns the error of ctx when that ends.
func (m *Model) pause(ctx context.Context, first bool) error {
	if m.opts.Delay > 0 && !first {
		select {
		case <-time.After(m.opts.Delay):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// reply returns the whole answer. It is built before the first delta, since the work is limited, and a complete
// reply can say how much was found.
func (m *Model) reply(ctx context.Context, r chains.Request) (string, error) {
	s, err := newShelf(ctx, r.Documents)
	if err != nil {
		return "", err
	}
	var p page
	switch {
	case len(s.docs) == 0 && r.Unfound != "":
		p.para(r.Unfound)
		p.para("Ask in the words of your notes, or attach one with @.")
	case len(r.Documents) == 0:
		p.para("No note is attached to this conversation, so there is nothing to quote. " +
			"Attach one with @, or press F3 to send along the note that you have open.")
	case len(s.docs) == 0:
		p.para("What is attached to this conversation has no text, so there is nothing to quote. " +
			"Attach another note with @.")
	default:
		if err := s.answer(ctx, &p, parseQuestion(r, s)); err != nil {
			return "", err
		}
	}
	return p.String(), nil
}

// piece matches the text of a delta: a word with the white space after it, or a few characters of text without
// spaces. The pieces joined are the text.
var piece = regexp.MustCompile(`\S{1,12}\s{0,12}|\s{1,12}`)

// page is the paragraphs of a reply, separated by blank lines.
type page []string

func (p *page) para(text string) {
	if text != "" {
		*p = append(*p, text)
	}
}

// quote adds quotes, each below its place.
func (p *page) quote(parts []part) {
	for _, part := range parts {
		p.para("From " + part.place + ":")
		p.para(part.quote)
	}
}

func (p *page) String() string { return strings.Join(*p, "\n\n") }
