package chatview

import (
	"fmt"
	"slices"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/picture"
	"ibid/ui/report"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/usage"
)

// estimate is what enter would send: the request that a forecast made, or the one
// that is being answered.
type estimate struct {
	id        int              // of the newest question
	Env       *prompt.Envelope // nil until there is an answer
	Missing   []prompt.MissingRef
	weights   map[prompt.Ref]chains.Weight   // what goes along
	Prices    map[prompt.Ref]chains.Weight   // of what a list offers, as far as it was asked for
	images    map[prompt.Ref]picture.Picture // the sizes of those that go along
	Typed     []prompt.Ref                   // what the text in the prompt names
	Report    inspector.Report               // env, taken apart
	Version   int                            // of report
	Heavy     bool                           // the ribbon has something to say
	Sent      bool                           // env was sent and is no forecast
	warned    bool                           // that the window is nearly full
	Long      string                         // why the next turn cannot be sent, "" if it can
	agreed    string                         // what the user agreed to last, see fit.key
	offered   int                            // message, 1-based, for which notes are suggested on a low screen too
	suggested []usage.Suggestion             // notes for the next turn
	fitting   []vault.Path                   // notes that fit what is typed
	hidden    []string                       // what was said about notes that go along by themselves

	unpriced *string // text that came back into the prompt, and is not looked at while it stays the same; nil for none
}

// Hold has nothing looked at of what was there when ibid broke off, since that may be why.
func (e *estimate) Hold(u *savedDraft) {
	if u.Open {
		e.unpriced = &u.Draft.Text
	}
}

// Reset drops what belongs to another conversation.
func (e *estimate) Reset() {
	*e = estimate{id: e.id + 1, Version: e.Version + 1, unpriced: e.unpriced}
}

// set takes the request over that enter would send.
func (e *estimate) set(env prompt.Envelope, missing []prompt.MissingRef, base inspector.Report) {
	e.Env, e.Missing, e.Sent, e.Long = &env, missing, false, ""
	e.Report = report.Describe(env, missing, base)
	e.weigh()
}

// A request of ribbonFrom tokens has a ribbon, until it is lighter than ribbonUntil:
// what is typed and deleted again must not make it come and go.
const ribbonFrom, ribbonUntil = 4000, 3000

// weigh follows a new report.
func (e *estimate) weigh() {
	e.Version++
	r := &e.Report
	e.Heavy = r.Prompt >= ribbonFrom || e.Heavy && r.Prompt >= ribbonUntil || r.NearlyFull()
}

// setSent takes the request over that went out.
func (e *estimate) setSent(env prompt.Envelope, missing []prompt.MissingRef, base inspector.Report) {
	e.id++
	e.weights, e.Prices, e.unpriced = nil, nil, nil
	e.set(env, missing, base)
	e.Sent = true
}

// setTooLong keeps what is known of the request before, and says how long the
// next one would be. It reports whether that is news.
func (e *estimate) setTooLong(long *prompt.TooLongError, base inspector.Report) (news bool) {
	text := tooLong(long)
	news = e.Long != text
	e.Long = text
	if e.Env != nil {
		e.Report = report.Describe(*e.Env, e.Missing, base)
	}
	e.Report.Window, e.Report.Prompt, e.Report.Cached = base.Window, long.Tokens, 0
	restIsHistory(&e.Report)
	e.Report.Remarks = []string{text}
	e.weigh()
	return news
}

// restIsHistory makes the layers of a report add up to its weight, and forgets
// what of them was cached: a request that cannot be made has no layers of its own,
// but what it has above the one before was said meanwhile.
func restIsHistory(r *inspector.Report) {
	rest := r.Prompt
	for i := range r.Layers {
		r.Layers[i].Cached = 0
		rest -= r.Layers[i].Tokens
	}
	for i := range r.Layers {
		if r.Layers[i].ID == "L4" {
			r.Layers[i].Tokens += max(rest, 0)
		}
	}
	r.Boundary = ""
}

// Used counts what this chat has referred to.
func (e *estimate) Used() map[string]int {
	if e.Env == nil {
		return nil
	}
	used := make(map[string]int, len(e.Env.Library))
	for _, it := range e.Env.Library {
		used[it.Ref.ID] = it.Times
	}
	return used
}

// dropKnown drops notices that need not be shown about notes that go along by
// themselves: the shelf shows on every turn that a pin or the active note is
// missing, and anything else about them is said once.
func (e *estimate) dropKnown(notices []chains.Notice, missing []prompt.MissingRef, st *State) []chains.Notice {
	for _, gone := range missing {
		byItself := gone.Ref.ID == string(st.Note.Path) || st.Pinned(vault.Path(gone.Ref.ID))
		if !byItself || gone.Ref.Kind != prompt.Note || slices.Contains(st.Attached, gone.Ref) {
			continue
		}
		if gone.State == "missing" || slices.Contains(e.hidden, gone.Reason) {
			notices = slices.DeleteFunc(notices, func(n chains.Notice) bool { return n.Text == gone.Reason })
		}
		e.hidden = append(e.hidden, gone.Reason)
	}
	return notices
}

// reportOf is what a report says beyond the request itself. turn 0 is the next one.
func reportOf(c *Chat, turn int) inspector.Report {
	now := c.Turn.Now()
	r := inspector.Report{
		Turn: turn, Window: c.Desk.Window, Last: c.Turn.last,
		Spent: chains.Dollars(c.Desk.Chat.Cost()), Ages: map[string]string{},
	}
	r.Learned = c.Desk.LearnedSay()
	for url, at := range c.Desk.pages {
		r.Ages[url] = page.FormatAge(now.Sub(at))
	}
	if life := c.Desk.lifetime; life > 0 && !c.Turn.Sent.IsZero() {
		if until := c.Turn.Sent.Add(life); until.After(now) {
			r.Warm = "until " + until.Format("15:04") + " (est.)"
		} else {
			r.Warm = "no longer: the next turn is read in full"
		}
	}
	return r
}

// State is what sending a reference means, and its price.
func (e *estimate) State(r prompt.Ref) (composer.ChipState, int) {
	w, ok := e.weights[r]
	if !ok && e.Env != nil && slices.ContainsFunc(e.Env.Library, func(it prompt.LibraryItem) bool {
		return it.Ref == r && it.Place != ""
	}) {
		return composer.Known, 0
	}
	if i := slices.IndexFunc(e.Missing, func(gone prompt.MissingRef) bool {
		return gone.Ref == r
	}); !ok && i >= 0 && e.Missing[i].State != "later" {
		if e.Missing[i].State != "missing" {
			return composer.Unsent, 0
		}
		return composer.Missing, 0
	}
	switch w.State {
	case "new":
		return composer.Fresh, w.Tokens
	case "updated":
		return composer.Drifted, w.Tokens
	case "known", "muted":
		return composer.Known, 0
	case "missing":
		return composer.Missing, 0
	case "unsent":
		return composer.Unsent, 0
	}
	return composer.Fresh, composer.NotKnown
}

// reasons are why something is not sent, in words for its chip.
var reasons = map[string]string{
	"binary":         "unknown format",
	"broken":         "broken",
	"ignored":        "excluded",
	"image":          "text-only model",
	"not_downloaded": "not downloaded",
	"outside":        "outside the vault",
	"private":        "private",
	"too_large":      "too large",
	"unreadable":     "unreadable",
}

// whyNot is why a reference is not sent though it is there, "" if that is not known.
func (e *estimate) whyNot(r prompt.Ref) string { return reasons[e.weights[r].Why] }

// tooLong says that a turn does not fit at all, and what can be done about it.
func tooLong(err *prompt.TooLongError) string {
	text := fmt.Sprintf("too long: about %s tokens where %s fit", theme.Comma(err.Tokens), theme.Comma(err.Limit))
	attached := 0
	for _, a := range err.Largest {
		attached += a.Tokens
	}
	if len(err.Largest) > 0 && 3*attached > err.Tokens {
		text += fmt.Sprintf("; the heaviest is %s with %s", err.Largest[0].Ref.Label(),
			theme.ShortCount(err.Largest[0].Tokens))
	} else {
		text += fmt.Sprintf("; the message has %s, the instructions %s", theme.ShortCount(err.Question),
			theme.ShortCount(err.Instructions))
	}
	return text + ". /model: a larger window; /context: forget notes; /new: a new chat"
}

// asked remembers that prices were asked for.
func (e *estimate) asked(refs []prompt.Ref) {
	if e.Prices == nil {
		e.Prices = map[prompt.Ref]chains.Weight{}
	}
	for _, r := range refs {
		e.Prices[r] = chains.Weight{Ref: r}
	}
}

// setPrices takes prices over, unless they are outdated.
func (e *estimate) setPrices(got []chains.Weight) {
	for _, w := range got {
		if e.Prices != nil {
			e.Prices[w.Ref] = w
		}
	}
}
