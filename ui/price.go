package ui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
)

const (
	pricedRows = 20        // of a list that are priced exactly; no screen shows more
	pricedSize = 256 << 10 // bytes above which a row is not read for its price
)

// weighMsg asks for the prices of the rows that a list shows.
type weighMsg struct{}

// weighedMsg brings prices; those that were not found out may be asked for again.
type weighedMsg struct {
	refs []prompt.Ref
	got  []chains.Weight
}

func (msg weighedMsg) carryOut(m *Model) tea.Cmd {
	m.k.Estimate.SetPrices(msg.got)
	m.refreshShelf()
	return m.toPage(msg)
}

// weighRows finds out what attaching each of some references would add.
type weighRows struct {
	refs  []prompt.Ref
	vault *vault.Vault
}

func (j weighRows) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	small := slices.DeleteFunc(slices.Clone(j.refs), func(r prompt.Ref) bool { return sizeOf(d, j.vault, r) > pricedSize })
	got, err := attachmentCosts(ctx, d, small)
	if errors.Is(err, chains.ErrBusy) {
		err = nil
	}
	return weighedMsg{j.refs, got}, err
}

// attachmentCosts is what attaching references would add to the next turn.
func attachmentCosts(ctx context.Context, d *desk.Desk, refs []prompt.Ref) (all []chains.Weight, err error) {
	s, in := d.Session(), d.Input("")
	d.Aside(func() { all, err = s.Weigh(ctx, in, refs) })
	return all, err
}

// sizeOf is how many bytes the notes have that a reference stands for.
func sizeOf(d *desk.Desk, v *vault.Vault, r prompt.Ref) (size int64) {
	lister, _ := d.Session().Options().Gather.(chains.Lister)
	for _, m := range append(lister.Members(r), r) {
		if n, ok := v.Note(vault.Path(m.ID)); ok {
			size += n.Size
		}
	}
	return size
}

// receive asks for the prices of the rows once they stay.
func (n *noteList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case page.QueryMsg, page.RefreshMsg:
		read := n.At(n.shown)
		if len(n.unpriced) > 0 {
			return page.Steps{page.Post{Msg: weighMsg{}, In: settleTime}, read}, false
		}
		return read, false
	case noteText:
		n.text = msg
		return nil, msg.path == n.shown
	case weighMsg:
		refs := n.unpriced
		if len(refs) == 0 {
			return nil, true
		}
		n.k.Estimate.Asked(refs)
		return atDesk(weighRows{refs, n.k.opt.Vault}), true
	case weighedMsg:
		return nil, true
	}
	return nil, false
}

// price says on a row what attaching a reference costs: about as much as its size
// says, until that is found out.
func (n *noteList) price(it *picker.Item, r prompt.Ref, size int64) {
	g := &n.k.Theme.Glyphs
	w, asked := n.k.Estimate.Prices[r]
	if !asked && len(n.unpriced) < pricedRows && it.Disabled == "" {
		n.unpriced = append(n.unpriced, r)
	}
	state := w.State
	if e := &n.k.Estimate; state == "" && e.Env != nil {
		for _, l := range e.Env.Library {
			if l.Ref == r && l.State == "cached" {
				state = "known"
			}
		}
	}
	const unit = " tokens"
	switch state {
	case "new":
		it.Meta = "+" + theme.ShortCount(w.Tokens) + unit
	case "updated":
		it.Glyph, it.State, it.Meta = g.Context.Drifted, "drifted", "+"+theme.ShortCount(w.Tokens)+unit
	case "known", "muted":
		it.Glyph, it.State, it.Meta = g.Context.Library, "in library", "0 new"
	case "":
		if size > 0 {
			it.Meta = estimateTokens(size) + unit
		}
	}
}

// estimateTokens is what a note of that many bytes may have in tokens.
func estimateTokens(size int64) string { return "≈ " + theme.ShortCount(int(size+3)/4) }
