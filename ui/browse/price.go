package browse

import (
	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// pricedRows limits the rows with exact prices; no screen shows more.
const pricedRows = 20

// weighMsg asks for the prices of the listed rows.
type weighMsg struct{}

// Receive asks for the prices of the rows once they stay the same, and reads the note for the preview.
func (n *noteList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case page.QueryMsg, page.RefreshMsg:
		read := n.At(n.shown)
		if len(n.unpriced) > 0 {
			return page.Steps{page.Post{Msg: weighMsg{}, In: chatview.SettleTime}, read}, false
		}
		return read, false
	case noteText:
		n.text = msg
		return nil, msg.path == n.shown
	case weighMsg:
		if len(n.unpriced) == 0 {
			return nil, true
		}
		return post(n.Current.Weigh(n.unpriced)), true
	}
	return nil, false
}

// price shows the tokens that attaching a reference would add. Until the exact number comes, it is
// estimated from the size.
func (n *noteList) price(it *picker.Item, r prompt.Ref, size int64) {
	g := &n.Theme.Glyphs
	w, asked := n.Current.Estimate.Prices[r]
	if !asked && len(n.unpriced) < pricedRows && it.Disabled == "" {
		n.unpriced = append(n.unpriced, r)
	}
	state := w.State
	if e := n.Current.Estimate.Env; state == "" && e != nil {
		for _, l := range e.Library {
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

// estimateTokens returns an estimate of the tokens of a note with size bytes.
func estimateTokens(size int64) string { return "≈ " + theme.ShortCount(prompt.TokensOfSize(size)) }
