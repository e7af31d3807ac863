package chains

import (
	"context"
	"fmt"
	"strings"
)

// Server is a provider of models, whatever its protocol. It is all that the rest of the program knows of a
// provider.
type Server interface {
	// Name returns the name of the provider for messages.
	Name() string
	// Local reports whether the server is on this machine or in its network. Such servers choose the window of a
	// model themselves.
	Local() bool
	// Model returns the model of this name.
	Model(name string) Model
	// Models requests the list of models, those that chat first. The error is a *ProviderError, or that of ctx.
	Models(ctx context.Context) ([]ModelInfo, error)
	// Known returns what the server has said about a model so far, without a request. The model "" is the default
	// of the server or of its address, if there is one.
	Known(model string) (info ModelInfo, ok bool)
}

// Progress counts the bytes of a model that a server downloads. Total is 0 until it is known, and grows while the
// server finds further parts of the model.
type Progress struct {
	Doing       string // status in the server's words
	Done, Total int64
}

// String returns the progress as a line for the person.
func (p Progress) String() string {
	if p.Total <= 0 {
		return p.Doing
	}
	return fmt.Sprintf("%d %% of %.1f GB", 100*min(p.Done, p.Total)/p.Total, float64(p.Total)/1e9)
}

// Embedder is a model that makes vectors of texts, by which texts are compared.
type Embedder struct {
	Embed func(ctx context.Context, texts []string) ([][]float32, error) // a vector of each
	Place string                                                         // where its server is, for people
	Here  bool                                                           // on this machine
	Price Price
}

// ModelInfo is the description of a model by its server. Numbers are tokens, 0 if unknown.
type ModelInfo struct {
	ID        string
	Window    int  // context window in use
	MaxOutput int  // longest reply
	Chat      bool // it can chat: it is no embedding, speech, image or ranking model
	Images    bool // it takes images
	Tools     bool // it calls tools
	NoTools   bool // it is known to call none
	Thinks    bool // it reasons
	Loaded    bool // local servers: it is in memory now
	Owner     string
	Price     Price
}

// ChatFirst is a comparison for sorting: models that chat come before all others.
func ChatFirst(a, b ModelInfo) int {
	switch {
	case a.Chat == b.Chat:
		return 0
	case a.Chat:
		return -1
	}
	return 1
}

// Offer lists the models of one provider that can chat, or has the error that prevented it.
type Offer struct {
	Provider string
	Now      bool // the provider in use: its models are listed without its name
	Models   []ModelInfo
	Last     string // name of the model that answered last
	Err      error
}

// Names returns the names with which the models can be chosen.
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

// CurrentFirst is a comparison for sorting: the offer of the provider in use comes first, and the others by name.
func CurrentFirst(a, b Offer) int {
	switch {
	case a.Now == b.Now:
		return strings.Compare(a.Provider, b.Provider)
	case a.Now:
		return -1
	}
	return 1
}

// FirstChat returns the model to use when nobody chose one: one that is already loaded, else the first that chats.
// ok is false if none does.
func FirstChat(list []ModelInfo) (first ModelInfo, ok bool) {
	for _, m := range list {
		if m.Chat && (!ok || m.Loaded && !first.Loaded) {
			first, ok = m, true
		}
	}
	return first, ok
}

// Effort describes the levels of reasoning of a model.
type Effort struct {
	Options Options  // options with the model at this level
	Now     string   // current level, "" for the provider's default
	Levels  []string // levels that the model has
}
