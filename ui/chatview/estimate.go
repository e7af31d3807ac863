package chatview

import (
	"slices"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/report"
	"ibid/vault"
	"ibid/vault/usage"
)

// estimate describes the request that enter would send, from a forecast, or the one that is being
// answered.
type estimate struct {
	id        int              // of the newest forecast
	Env       *prompt.Envelope // nil until the first forecast
	Missing   []prompt.MissingRef
	weights   map[prompt.Ref]chains.Weight // weights of the references of the next turn
	Prices    map[prompt.Ref]chains.Weight // weights of the entries of lists, as far as they were asked for
	Typed     []prompt.Ref                 // references in the text of the prompt
	Report    inspector.Report             // Env, described for the inspector
	Heavy     bool                         // the ribbon has something to say
	Sent      bool                         // Env was sent and is no forecast
	TooLong   string                       // why the next turn cannot be sent, "" if it can
	agreed    string                       // what the user agreed to last, see fit.agreementKey
	pages     *pagesAnswer                 // for the next turn, nil for none
	suggested []usage.Suggestion           // notes for the next turn
	fitting   []vault.Path                 // notes that fit the typed text
	hidden    []string                     // reported reasons about notes that go along by themselves

	// restored text of a draft that was open when ibid broke off; it is not priced while it stays the same, since
	// it may be the cause; nil for none
	unpriced *string
}

// Reset drops the data of another conversation.
func (e *estimate) Reset() {
	*e = estimate{id: e.id + 1, unpriced: e.unpriced}
}

// set stores a forecast.
func (e *estimate) set(env prompt.Envelope, missing []prompt.MissingRef, base inspector.Report) {
	e.Env, e.Missing, e.Sent, e.TooLong = &env, missing, false, ""
	e.Report = report.Describe(env, missing, base)
	e.updateHeavy()
}

// The ribbon appears at ribbonFrom tokens and stays until the request has less than ribbonUntil: text
// that is typed and deleted again must not make it come and go.
const ribbonFrom, ribbonUntil = 4000, 3000

// updateHeavy updates Heavy after a new report.
func (e *estimate) updateHeavy() {
	r := &e.Report
	e.Heavy = r.Prompt >= ribbonFrom || e.Heavy && r.Prompt >= ribbonUntil || r.NearlyFull()
}

// setSent stores a request that was sent.
func (e *estimate) setSent(env prompt.Envelope, missing []prompt.MissingRef, base inspector.Report) {
	e.id++
	e.weights, e.Prices, e.unpriced = nil, nil, nil
	e.set(env, missing, base)
	e.Sent = true
}

// setTooLong keeps the previous request, and stores that the next one would be too long. It reports
// whether that is new.
func (e *estimate) setTooLong(long *prompt.TooLongError, base inspector.Report) (news bool) {
	text := tooLong(long)
	news = e.TooLong != text
	e.TooLong = text
	if e.Env != nil {
		e.Report = report.Describe(*e.Env, e.Missing, base)
	}
	e.Report.Window, e.Report.Prompt, e.Report.Cached = base.Window, long.Tokens, 0
	e.Report.Remarks = []string{text}
	e.updateHeavy()
	return news
}

// CountUses counts the references to each item of this chat, by their ids.
func (e *estimate) CountUses() map[string]int {
	if e.Env == nil {
		return nil
	}
	used := make(map[string]int, len(e.Env.Library))
	for _, it := range e.Env.Library {
		used[it.Ref.ID] = it.Times
	}
	return used
}

// dropKnown drops the notices about notes that go along by themselves, if they need not be shown: the
// shelf shows on every turn that a pin or the active note is missing, and every other notice about them
// is shown once.
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

// reportOf returns the parts of a report that are not in the request itself. turn 0 is the next turn.
func reportOf(c *Chat, turn int) inspector.Report {
	now := c.Turn.Now()
	r := inspector.Report{
		Turn: turn, Window: c.Desk.Window, Last: c.Turn.last,
		Spent: chains.Dollars(c.Desk.Chat.Cost()), Ages: map[string]string{},
	}
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

// State returns the state of a reference in the next turn, and its price in tokens.
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

// unsentReasons maps the reasons why something is not sent to words for its chip.
var unsentReasons = map[string]string{
	"binary":         "unknown format",
	"broken":         "broken",
	"ignored":        "excluded",
	"image":          "text-only model",
	"not_downloaded": "not downloaded",
	"outside":        "outside the vault",
	"private":        "private",
	"too_large":      "too large",
	"unchecked":      "excluded or not: unknown",
	"unreadable":     "unreadable",
}

// reasonNotSent returns the reason why an existing reference is not sent, "" if it is unknown.
func (e *estimate) reasonNotSent(r prompt.Ref) string { return unsentReasons[e.weights[r].Why] }

// tooLong describes why a turn does not fit at all, and what to do about it.
func tooLong(err *prompt.TooLongError) string {
	return err.Error() + ". /model: a larger window; /context: forget notes; /new: a new chat"
}
