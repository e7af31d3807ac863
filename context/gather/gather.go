package gather

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
	"ibid/vault/query"
	"ibid/vault/routine"
)

// Options configure a Gatherer. The zero value is useful.
type Options struct {
	HTTP         *http.Client          // client for pages; nil is a client of its own
	MaxImage     int64                 // bytes of an image, 0 is 5 MB
	MaxPage      int64                 // bytes of a page, 0 is 4 MB
	RemoteImages bool                  // pass on the addresses of images on the web
	Now          func() time.Time      // nil means time.Now
	Given        map[prompt.Ref]string // texts that came with the next turn: see prompt.GivenRef
}

// Gatherer reads references from one vault.
type Gatherer struct {
	vault  *vault.Vault
	opts   Options
	engine *query.Engine

	mu    sync.Mutex      // guards the fields below
	pages map[string]page // fetched in this process, by URL

	revisions map[*vault.Note]revision // of the current notes of the vault

	similar map[prompt.Revision][]string // answers of alike

	answers answers // of queries
}

// New returns a Gatherer for v.
func New(v *vault.Vault, o Options) *Gatherer {
	if o.MaxImage == 0 {
		o.MaxImage = 5 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Gatherer{
		vault: v, opts: o, pages: map[string]page{}, similar: map[prompt.Revision][]string{},
		engine: query.New(v),
	}
}

// Gather reads references in order. One that cannot be read is reported and does not affect the others.
func (g *Gatherer) Gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error) {
	if slices.ContainsFunc(refs, func(r prompt.Ref) bool { return r.Kind.Info().Expands }) {
		// The notes of a folder or tag are known from the last look at the disk.
		if err := g.updateVault(ctx); err != nil {
			return nil, nil, err
		}
	}
	var items []prompt.Item
	var missing []prompt.MissingRef
	seen := map[prompt.Ref]bool{}
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		found, miss := g.gatherOne(ctx, ref)
		missing = append(missing, miss...)
		for _, it := range found {
			if seen[it.Ref] {
				continue
			}
			seen[it.Ref] = true
			items = append(items, it)
			results, miss := g.queries(ctx, it)
			missing = append(missing, miss...)
			for _, r := range results {
				if !seen[r.Ref] {
					seen[r.Ref] = true
					items = append(items, r)
				}
			}
		}
	}
	return items, missing, ctx.Err()
}

// Members returns the notes of a folder or a tag, as the vault knows them without reading the disk; nil for other
// references.
func (g *Gatherer) Members(ref prompt.Ref) []prompt.Ref {
	var refs []prompt.Ref
	for _, n := range g.members(ref) {
		refs = append(refs, prompt.NoteRef(n.Path))
	}
	return refs
}

// members returns the notes of a folder or a tag. Saved chats are attached by name only: a chat in which somebody
// typed a tag does not have it, and the current chat changes with every message.
func (g *Gatherer) members(ref prompt.Ref) (all []*vault.Note) {
	switch ref.Kind {
	case prompt.Folder:
		if dir, ok := g.folder(ref.ID); ok {
			all = g.vault.InFolder(dir)
		}
	case prompt.Tag:
		all = g.vault.WithTag(ref.ID)
	}
	return slices.DeleteFunc(slices.Clone(all), func(n *vault.Note) bool { return n.Chat })
}

// recoverReference is deferred by functions that read a reference. A panic then costs this reference only.
func recoverReference[T any](ref prompt.Ref, got *T, missing *[]prompt.MissingRef) {
	if p := routine.NewPanic(recover()); p != nil {
		var none T
		*got, *missing = none, missingRef(ref, "unreadable", fmt.Sprintf("%s could not be read: %v", ref.ID, p.Value))
	}
}

func (g *Gatherer) gatherOne(ctx context.Context, ref prompt.Ref) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(ref, &items, &missing)
	switch ref.Kind {
	case prompt.Folder:
		if _, ok := g.folder(ref.ID); !ok {
			return nil, missingRef(ref, "missing", ref.ID+": there is no such folder")
		}
		return g.expand(ref)
	case prompt.Tag:
		return g.expand(ref)
	case prompt.URL:
		it, miss := g.page(ctx, ref, false)
		if miss != nil {
			return nil, miss
		}
		return []prompt.Item{it}, nil
	case prompt.Selection:
		return g.selection(ref)
	case prompt.Picture:
		return g.picture(ref)
	case prompt.Note:
		return g.note(ref)
	case prompt.Query:
		return g.query(ctx, ref)
	}
	return nil, missingRef(ref, "missing", ref.ID+": ibid cannot attach this kind of thing yet")
}

// expand reads the notes of a folder or a tag. It does not report private and excluded ones, since they were not
// named. If the rules for excluded files cannot be read, it reports the reference as a whole.
func (g *Gatherer) expand(ref prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	var items []prompt.Item
	var missing []prompt.MissingRef
	for _, n := range g.members(ref) {
		found, miss := g.note(prompt.NoteRef(n.Path))
		items = append(items, found...)
		for _, m := range miss {
			switch m.State {
			case "private", "ignored":
			case prompt.UncheckedRef:
				return nil, missingRef(ref, m.State, ref.ID+strings.TrimPrefix(m.Reason, m.Ref.ID))
			default:
				missing = append(missing, m)
			}
		}
	}
	if len(items) == 0 && len(missing) == 0 {
		missing = missingRef(ref, "missing", ref.ID+" holds no note that may be sent (saved chats are attached one by one)")
	}
	return items, missing
}

// note reads a whole note, or another text file, and what it embeds.
func (g *Gatherer) note(ref prompt.Ref) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(ref, &items, &missing)
	t, miss := g.read(ref, ref.ID)
	if miss != nil {
		return nil, miss
	}
	text, leftOut := legible.Read(t.Content)
	it := prompt.NewItem(ref, t.Note.Title, ref.ID, text)
	it.HasImages = t.Note.Images
	it.Outline = outline(t.Note)
	it, left := g.transclude(it, &t, 1, 1<<30)
	return []prompt.Item{it}, append(left, missingData(ref, leftOut)...)
}

// missingData reports data of this size that is left out of a note, or of a part of it; "" for none.
func missingData(ref prompt.Ref, size string) []prompt.MissingRef {
	if size == "" {
		return nil
	}
	return missingRef(ref, "data", fmt.Sprintf("%s: %s of data that no reader sees is left out", ref.ID, size))
}

// selection reads a part of a note.
func (g *Gatherer) selection(ref prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	if ref.IsGiven() {
		return givenItem(ref, g.opts.Given[ref])
	}
	name, sub, ok := g.split(ref.ID)
	if !ok {
		return nil, missingRef(ref, "missing", ref.ID+": this names no part of a note")
	}
	t, miss := g.read(ref, name)
	if miss != nil {
		return nil, miss
	}
	start, end, ok := t.Section(sub)
	if !ok {
		return nil, missingRef(ref, "missing", fmt.Sprintf("%s has no %q any more", name, sub))
	}
	it, left := g.partItem(ref, &t, start, end)
	return []prompt.Item{it}, left
}

// givenItem returns the item of a text that came with a turn. No chat stores such texts.
func givenItem(ref prompt.Ref, text string) ([]prompt.Item, []prompt.MissingRef) {
	if text == "" {
		return nil, missingRef(ref, "given",
			ref.ID+": what was given to this chat is not kept; give it again to send it again")
	}
	it := prompt.NewItem(ref, ref.Label(), "", text)
	it.StartLine, it.EndLine = 1, strings.Count(it.Content, "\n")+1
	return []prompt.Item{it}, nil
}

// partItem returns the item for lines from..to of a note.
func (g *Gatherer) partItem(ref prompt.Ref, t *vault.Text, from, to int) (prompt.Item, []prompt.MissingRef) {
	t.Content = md.BlankHidden(t.Content)
	text, leftOut := legible.Read(t.Lines(from, to))
	it := prompt.NewItem(ref, t.Note.Title, string(t.Note.Path), text)
	it.StartLine, it.EndLine = from, to
	it, left := g.transclude(it, t, from, to)
	return it, append(left, missingData(ref, leftOut)...)
}

// split splits the id of a selection into path and part. A path may contain a "#" itself, so the longest existing
// path is used.
func (g *Gatherer) split(id string) (name, sub string, ok bool) {
	for i := len(id) - 1; i > 0; i-- {
		if id[i] != '#' {
			continue
		}
		if _, exists := g.vault.Note(vault.Path(id[:i])); exists {
			return id[:i], id[i+1:], true
		}
	}
	name, sub, _ = strings.Cut(id, "#")
	return name, sub, sub != ""
}

// missingRef returns a reference that gives no item, with the reason.
func missingRef(ref prompt.Ref, state, reason string) []prompt.MissingRef {
	return []prompt.MissingRef{{Ref: ref, State: state, Reason: reason}}
}

func (g *Gatherer) read(ref prompt.Ref, name string) (vault.Text, []prompt.MissingRef) {
	p, err := vault.ParsePath(name)
	if err == nil {
		var t vault.Text
		if t, err = g.vault.Read(p); err == nil {
			return t, nil
		}
	}
	return vault.Text{}, missingFile(ref, err)
}

// rulesFault returns the part of an error that says which rule cannot be read.
func rulesFault(err error) string {
	var fault *vault.RulesError
	if errors.As(err, &fault) {
		return fault.Error()
	}
	return err.Error()
}

// Withheld returns why nothing of the vault may be sent or offered to a model, nil if it may.
func (g *Gatherer) Withheld() error { return g.vault.Withheld() }

// Agree records that a person, who knows the error of Withheld, wants these references to be sent.
func (g *Gatherer) Agree(refs []prompt.Ref) {
	for _, r := range refs {
		name := r.ID
		if r.Kind == prompt.Selection {
			name, _, _ = g.split(r.ID)
		}
		g.vault.Agree(vault.Path(name))
		for _, n := range g.members(r) {
			g.vault.Agree(n.Path)
		}
	}
}

// missingFiles are the reasons why a file is not sent, by error.
var missingFiles = []struct {
	err           error
	state, reason string
}{
	{fs.ErrNotExist, "missing", "is not in the vault (any more)"},
	{
		vault.ErrNotDownloaded, "not_downloaded",
		"is not downloaded: it is in iCloud, and only its name is on this machine",
	},
	{vault.ErrPrivate, "private", "is private: it stays on this machine"},
	{vault.ErrRules, prompt.UncheckedRef, "is not sent: "}, // followed by the rule
	{vault.ErrIgnored, "ignored", "is excluded by the vault's settings: it is not sent"},
	{vault.ErrTooLarge, "too_large", "is too large to send"},
	{vault.ErrOutside, "outside", "is outside the vault: it is not read"},
	{fs.ErrPermission, "unreadable", "may not be read by you (permission denied): it is not sent"},
}

// missingFile returns in words for a person why a file is not sent.
func missingFile(ref prompt.Ref, err error) []prompt.MissingRef {
	say := func(state, reason string) []prompt.MissingRef { return missingRef(ref, state, ref.ID+" "+reason) }
	var noText *vault.NoTextError
	if errors.As(err, &noText) {
		return say("binary", noText.Reason())
	}
	for _, m := range missingFiles {
		if !errors.Is(err, m.err) {
			continue
		}
		reason := m.reason
		switch m.err {
		case vault.ErrTooLarge:
			_, sizes, _ := strings.Cut(err.Error(), m.err.Error()+": ")
			reason += " (" + sizes + ")"
		case vault.ErrRules:
			reason += rulesFault(err)
		}
		return say(m.state, reason)
	}
	return say("unreadable", "could not be read: "+strings.TrimPrefix(err.Error(), "read "+ref.ID+": "))
}

// outline returns the headings of a note, one a line.
func outline(n *vault.Note) string {
	var b strings.Builder
	for _, h := range n.Headings {
		b.WriteString(strings.Repeat("#", h.Level) + " " + h.Text + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
