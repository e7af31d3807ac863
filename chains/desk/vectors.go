package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"ibid/chains"
	"ibid/vault/md"
	"ibid/vault/vectors"
)

// consents is the file of the state folder with the answers of the person: whether notes of a vault may be sent to
// a model at an address.
const consents = "vectors.json"

// The answers.
const (
	agreed  = "yes"
	refused = "no"
)

// Meaning finds notes by their meaning, and asks the person before another machine gets them.
type Meaning struct {
	*vectors.Finder
	opts      *Options
	changed   chan struct{} // gets a value when vectors may be missing
	embedders sync.Map      // chains.Embedder, by model
}

// newMeaning returns nil if no model is configured.
func newMeaning(d *Desk) *Meaning {
	o := &d.opts
	if o.Servers.Vectors == "" || o.Servers.Embedder == nil || o.IndexDir == "" {
		return nil
	}
	m := &Meaning{opts: o, changed: make(chan struct{}, 1)}
	m.Finder = &vectors.Finder{Index: d.openIndex, Source: o.Vault, Model: o.Servers.Vectors, Embed: m.embed}
	return m
}

// Meaning returns what finds notes by their meaning, nil if no model is configured for it.
func (d *Desk) Meaning() *Meaning { return d.search.meaning }

// missing says that vectors may be missing. A nil Meaning misses none.
func (m *Meaning) missing() {
	if m != nil {
		select {
		case m.changed <- struct{}{}:
		default: // it is said
		}
	}
}

// embedder finds a model that makes vectors, once.
func (m *Meaning) embedder(ctx context.Context, model string) (e chains.Embedder, err error) {
	if known, ok := m.embedders.Load(model); ok {
		return known.(chains.Embedder), nil
	}
	if e, err = m.opts.Servers.Embedder(ctx, model); err == nil {
		m.embedders.Store(model, e)
	}
	return e, err
}

// embed asks a model for vectors, unless its server is another machine and the person has not agreed, or it is not
// known what is excluded.
func (m *Meaning) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if err := m.opts.Vault.Withheld(); err != nil {
		return nil, err
	}
	e, err := m.embedder(ctx, model)
	switch {
	case err != nil:
		return nil, err
	case !e.Here && m.consent(model, &e) != agreed:
		return nil, vectors.ErrNotAgreed
	}
	all, err := e.Embed(ctx, texts)
	var failed *chains.ProviderError
	if errors.As(err, &failed) && isOfTexts(failed) {
		err = fmt.Errorf("%w: %w", vectors.ErrText, err)
	}
	return all, err
}

// isOfTexts reports whether a failure may be because of the texts in a request. Servers answer a text that is too long
// with these statuses, with an error in place of a result, or with nothing that can be read, in wordings that are new
// each year. A server that answers everything so is found out by the Finder. Keys, limits, other statuses and the
// network say nothing of texts.
func isOfTexts(e *chains.ProviderError) bool {
	switch e.Kind {
	case chains.ErrBadReply:
		return true
	case chains.ErrContext, chains.ErrConfig, chains.ErrServer:
	default:
		return false
	}
	switch e.Status {
	case 0, http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
		http.StatusInternalServerError:
		return true
	}
	return false
}

// consentKey names the question whether notes may be sent.
func (m *Meaning) consentKey(model string, e *chains.Embedder) string {
	return strings.Join([]string{model, e.Place, m.opts.Vault.Dir()}, "\t")
}

// consent returns the answer of the user, "" if none was given.
func (m *Meaning) consent(model string, e *chains.Embedder) string {
	return m.opts.hints().Read(consents)[m.consentKey(model, e)]
}

// Unanswered reports whether a model of another machine waits for the person to agree.
func (m *Meaning) Unanswered(ctx context.Context) bool {
	if m == nil {
		return false
	}
	e, err := m.embedder(ctx, m.Model)
	return err == nil && !e.Here && m.consent(m.Model, &e) == ""
}

// indexState runs /index: it returns the state of the search index and of the vectors, or keeps the answer to the
// question whether notes may be sent for these.
func indexState(ctx context.Context, c *Place, arg string) (r Result, err error) {
	m := c.search.meaning
	switch i := c.Indexing(ctx); {
	case i.Trouble != "":
		r.Text = "the index is not used: " + i.Trouble
	case i.Ready:
		r.Text = "the index is ready"
	default:
		r.Text = fmt.Sprintf("the index is being built: %s of %s notes", md.Thousands(i.Done), md.Thousands(i.All))
	}
	if m == nil {
		r.Text += "\nnotes are found by their words alone: `search.vectors` in the configuration names a model for their meaning"
		return r, nil
	}
	e, err := m.embedder(ctx, m.Model)
	switch {
	case err != nil:
		return Result{}, err
	case arg == agreed || arg == refused:
		m.opts.hints().Set(consents, m.consentKey(m.Model, &e), arg)
		m.missing()
	case arg != "":
		return Result{}, errors.New("/index takes yes or no, or nothing")
	}
	s, err := m.State(ctx)
	if err != nil {
		return Result{}, err
	}
	r.Text += "\n" + m.describeState(&s)
	if s.Serves != "" && s.Serves != m.Model {
		r.Text += ", and until there are all, those of " + s.Serves + " serve"
	}
	if answer := m.consent(m.Model, &e); !e.Here && answer != agreed {
		question := m.describeSending(&e)
		r.Text += "\nnothing is sent: " + question + ". /index yes agrees"
		if answer == "" {
			r.Ask = &Ask{"Send the notes?", question, "send", "/index yes"}
		}
	} else if s.Trouble != nil && !errors.Is(s.Trouble, vectors.ErrNotAgreed) {
		r.Text += "\nthe rest waits: " + s.Trouble.Error()
	}
	return r, nil
}

// UpdateIndex updates the search index, and asks for the missing vectors as far as the user has agreed, also for those
// that the server refused before.
func (d *Desk) UpdateIndex(ctx context.Context) (err error) {
	d.Sync(ctx)
	if m := d.search.meaning; m != nil {
		err = cmp.Or(m.Again(ctx), m.Fill(ctx))
		if errors.Is(err, vectors.ErrOtherSize) {
			err = m.Fill(ctx)
		}
	}
	if errors.Is(err, vectors.ErrNotAgreed) {
		err = nil
	}
	return cmp.Or(ctx.Err(), err)
}

// Progress returns a line for a user who waits for UpdateIndex or Sync.
func (d *Desk) Progress(ctx context.Context) string {
	i, m := d.Indexing(ctx), d.search.meaning
	switch {
	case i.Done == i.All && m != nil:
		s, _ := m.State(ctx) // without an index there are no vectors
		return m.describeState(&s)
	case i.All == 0:
		return "indexing"
	}
	return fmt.Sprintf("indexing, %s of %s notes", md.Thousands(i.Done), md.Thousands(i.All))
}

// describeState counts the notes that have vectors.
func (m *Meaning) describeState(s *vectors.State) string {
	text := fmt.Sprintf("%s: vectors of %s of %s notes", m.Model, md.Thousands(s.Done), md.Thousands(s.Notes))
	if s.Refused > 0 {
		text += fmt.Sprintf(", without %s that the server does not take", md.Plural(s.Refused, "section"))
	}
	return text
}

// describeSending returns a sentence for the user: how much would be sent to another machine, and its price.
func (m *Meaning) describeSending(e *chains.Embedder) string {
	notes, bytes := 0, int64(0)
	for _, n := range m.opts.Vault.Notes() {
		if vectors.IsSent(n) {
			notes++
			bytes += n.Size
		}
	}
	const bytesOfToken = 4
	tokens, price := int(bytes/bytesOfToken), "a price that is not known"
	if e.Price.Known {
		price = fmt.Sprintf("about $%.2f", max(0.01, e.Price.Input*float64(tokens)/1e6))
	}
	return fmt.Sprintf("%s notes, about %s tokens, would go to %s, for the vectors of %s, at %s, later changes of them and the questions "+
		"that they are searched for; private and excluded notes and saved chats stay here",
		md.Thousands(notes), md.Thousands(tokens), e.Place, m.Model, price)
}
