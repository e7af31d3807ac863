package setup

import (
	"context"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Models is the interface to the models for their page. Marked models have their provider before the
// name.
type Models interface {
	// Offers asks all providers for their models, and yields each answer when it comes.
	Offers(ctx context.Context) iter.Seq[chains.Offer]
	// Marked returns the favourites, and the recently chosen models, the last one first.
	Marked() (favourites, recent []string)
	// SetFavourite makes a model a favourite, or with false removes it from them.
	SetFavourite(name string, on bool)
}

// OfferMsg is the offer of one provider; more is false after the last one.
type OfferMsg struct {
	from  <-chan chains.Offer
	Offer chains.Offer
	more  bool
}

// MarkedMsg lists the marked models.
type MarkedMsg struct{ favourites, recent []string }

// AnsweringModel describes the model of the current chat.
type AnsweringModel struct {
	Model  string
	Prompt int // tokens of the whole prompt, which another model would read; 0 if the chat is new
}

// modelList lists the models of all providers, as the providers answer.
type modelList struct {
	page.Env
	source       Models
	now          func() AnsweringModel
	from         <-chan chains.Offer
	offers       []chains.Offer // the offer of the current provider first, then by name
	done         bool           // all have answered
	justAnswered bool           // the current provider has just answered
	marked       MarkedMsg
}

// OpenModels opens the page, and asks the providers while it is open.
func OpenModels(env page.Env, from Models, now func() AnsweringModel) page.Request {
	if from == nil {
		return page.Toast{Text: "the offline model answers; `ibid doctor` says how to connect one"}
	}
	offers := make(chan chains.Offer)
	list := page.NewList(env, &modelList{Env: env, source: from, now: now, from: offers}, "")
	ask := func(ctx context.Context) tea.Msg {
		defer close(offers)
		for o := range from.Offers(ctx) {
			select {
			case offers <- o:
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	}
	return page.Steps{
		page.Show{Page: list},
		page.Do{Work: readMarked(from)},
		page.Do{Work: nextOffer(offers)},
		page.Do{Work: ask, Latest: true},
	}
}

// nextOffer returns work that waits for the next offer.
func nextOffer(from <-chan chains.Offer) term.Work {
	return func(ctx context.Context) tea.Msg {
		select {
		case o, more := <-from:
			return OfferMsg{from, o, more}
		case <-ctx.Done():
			return nil
		}
	}
}

// readMarked returns work that reads the marked models.
func readMarked(from Models) term.Work {
	return func(context.Context) tea.Msg {
		favourites, recent := from.Marked()
		return MarkedMsg{favourites, recent}
	}
}

func (l *modelList) Options() picker.Options {
	o := picker.Options{Title: "Models", Placeholder: "part of a name"}
	if n := l.now().Prompt; n > 0 {
		o.Note = "another one reads the whole prompt once: about " + theme.ShortCount(n) + " tokens"
	}
	return o
}

func (l *modelList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "use it", func(r page.Row) page.Request {
			return page.CloseThen(page.Run{Line: "/model " + r.ID})
		}),
		page.On("alt+f", "favourite", l.toggleFavourite),
		page.Always("alt+p", "providers", page.Open{ID: page.Providers}),
	}
}

// toggleFavourite makes a model a favourite, or removes it from them.
func (l *modelList) toggleFavourite(r page.Row) page.Request {
	for _, o := range l.offers {
		if i := slices.Index(o.Names(), r.ID); i >= 0 {
			full := fullName(o, i)
			on := !slices.Contains(l.marked.favourites, full)
			return page.Do{Work: func(ctx context.Context) tea.Msg {
				l.source.SetFavourite(full, on)
				return readMarked(l.source)(ctx)
			}}
		}
	}
	return nil
}

// fullName returns the i-th model of an offer with its provider before the name.
func fullName(o chains.Offer, i int) string { return o.Provider + "/" + o.Models[i].ID }

// Rows lists the favourites, the recent models, and then all others by provider; a provider that does
// not answer has a row with the reason.
func (l *modelList) Rows(query string) page.Listing {
	var shown page.Listing
	names := slices.Concat(l.marked.favourites, l.marked.recent)
	marked := make([]picker.Item, len(names)) // in the order of names; those that are not offered stay empty
	var rest, failed []picker.Item
	for _, o := range l.offers {
		shown.Total += len(o.Models)
		for i, name := range o.Names() {
			full := fullName(o, i)
			if !page.Matches(full, query) {
				continue
			}
			it := l.item(&o, name, i)
			switch at := slices.Index(names, full); {
			case at < 0:
				it.Label, it.Group = o.Models[i].ID, o.Provider
				rest = append(rest, it)
			case at < len(l.marked.favourites):
				it.Group = "Favourites"
				marked[at] = it
			default:
				it.Group = "Recent"
				marked[at] = it
			}
		}
		if o.Err != nil {
			shown.Total++
		}
		if o.Err != nil && page.Matches(o.Provider, query) {
			failed = append(failed, picker.Item{
				ID: o.Provider + "/", Label: o.Provider, Snippet: o.Err.Error(),
				Disabled: "it lists no models now", Group: "No answer",
			})
		}
	}
	marked = slices.DeleteFunc(marked, func(it picker.Item) bool { return it.ID == "" })
	shown.Items = slices.Concat(marked, rest, failed)
	shown.Empty = "no provider is connected: alt+p adds one"
	if name := strings.TrimSpace(query); l.done && len(shown.Items) == 0 && len(l.offers) > 0 && name != "" {
		shown.Items = []picker.Item{{ID: name, Label: name, Detail: "not listed; taken as typed"}}
	}
	if !l.done {
		shown.Aside, shown.Empty = "asking"+l.Theme.Glyphs.Ellipsis, "asking the servers"+l.Theme.Glyphs.Ellipsis
	}
	if l.justAnswered {
		l.justAnswered, shown.At = false, l.now().Model
	}
	return shown
}

// item returns the row of a model.
func (l *modelList) item(o *chains.Offer, name string, i int) picker.Item {
	m := &o.Models[i]
	it := picker.Item{ID: name, Label: name, Detail: m.Price.String()}
	if m.Window > 0 {
		it.Meta = inspector.FormatWindow(m.Window)
	}
	if o.Now && m.ID == l.now().Model {
		it.Glyph, it.State = l.Theme.Glyphs.Check, "answers now"
	}
	return it
}

// Receive stores answers.
func (l *modelList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case MarkedMsg:
		l.marked = msg
		return nil, true
	case OfferMsg:
		if msg.from != l.from {
			return nil, false
		}
		if !msg.more {
			l.done = true
			return nil, true
		}
		l.justAnswered = msg.Offer.Now
		l.offers = append(l.offers, msg.Offer)
		slices.SortStableFunc(l.offers, chains.CurrentFirst)
		return page.Do{Work: nextOffer(l.from)}, true
	}
	return nil, false
}
