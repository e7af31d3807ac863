package chains

import (
	"context"
	"fmt"
	"iter"
)

// Server is a place that answers as one or several models, in whatever protocol:
// all that the wiring of the program knows of a provider.
type Server interface {
	// Name is what messages call the provider.
	Name() string
	// Local says that the server is on this machine or in its network, where it
	// decides how large the window of a model is.
	Local() bool
	// Model answers as the model of this name.
	Model(name string) Model
	// Models asks for the list of models, those that chat first. The error is a
	// *ProviderError, or that of ctx.
	Models(ctx context.Context) ([]ModelInfo, error)
	// Known is what the server has said about a model so far, without asking it.
	// The model "" is the one that it was told to answer with, or that its address
	// names, if there is one.
	Known(model string) (info ModelInfo, ok bool)
}

// Progress counts the bytes of a model that a server fetches. Total is 0 until
// it is known, and grows while the server finds out what belongs to the model.
type Progress struct {
	Doing       string // in the server's words
	Done, Total int64
}

// String is one line for a person.
func (p Progress) String() string {
	if p.Total <= 0 {
		return p.Doing
	}
	return fmt.Sprintf("%d %% of %.1f GB", 100*min(p.Done, p.Total)/p.Total, float64(p.Total)/1e9)
}

// Tenths is the progress of seq without what is less than a tenth further than what
// came before it. What the server does is told again when it changes.
func Tenths(seq iter.Seq2[Progress, error]) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		said := ""
		for p, err := range seq {
			step := p.Doing
			if p.Total > 0 {
				step = fmt.Sprint(10 * p.Done / p.Total)
			}
			if err == nil && step == said {
				continue
			}
			if said = step; !yield(p, err) {
				return
			}
		}
	}
}

// ModelInfo describes a model as its server does. Numbers are tokens,
// 0 where the server does not say.
type ModelInfo struct {
	ID        string
	Window    int  // context window in force
	MaxWindow int  // the longest that the model was made for, where that differs
	MaxOutput int  // longest reply
	Chat      bool // it answers chats: no embedding, speech, image or ranking model
	Images    bool // it is said to read images
	Tools     bool // it is said to call tools
	NoTools   bool // it is said to call none
	Thinks    bool // it is said to reason
	Loaded    bool // local servers: it is in memory now
	Owner     string
	Price     Price
}

// ChatFirst orders models for a list: those that answer chats before all others.
func ChatFirst(a, b ModelInfo) int {
	switch {
	case a.Chat == b.Chat:
		return 0
	case a.Chat:
		return -1
	}
	return 1
}

// Offer is the models of one provider that can chat, or why it names none.
type Offer struct {
	Provider string
	Now      bool // it was chosen last: its models are named without it
	Models   []ModelInfo
	Last     string // the model that answered last
	Err      error
}

// Names are the names that the models are chosen by.
func (o Offer) Names() (names []string) {
	for _, m := range o.Models {
		if o.Now {
			names = append(names, m.ID)
		} else {
			names = append(names, o.Provider+"/"+m.ID)
		}
	}
	return names
}

// FirstChat is the model to begin with when nobody chose one: one that is
// already loaded, else the first that answers chats.
func FirstChat(list []ModelInfo) (ModelInfo, bool) {
	for _, m := range list {
		if m.Chat && m.Loaded {
			return m, true
		}
	}
	for _, m := range list {
		if m.Chat {
			return m, true
		}
	}
	return ModelInfo{}, false
}

// Effort holds the levels of thinking of a model.
type Effort struct {
	Options Options  // of the model that thinks so much
	Now     string   // the level, "" for what the provider takes
	Levels  []string // those that the model has
}
