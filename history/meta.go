package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"ibid/context/prompt"
)

// Meta holds the data of a message from the hidden block. All of it is optional.
type Meta struct {
	Refs  []prompt.Ref // attachments, in the person's order
	Items []Item       // the items that were sent, in that order: folders and tags are expanded

	Tools  []ToolUse   // of a reply: the tool calls made for it
	Writes []NoteWrite // of a reply: the notes changed for it
	Footer int         // of a reply: length in bytes of the list of sources at the end of its text

	// Footnotes are the numbers of the footnotes in a reply that are quotations, and refer to none of the sources.
	Footnotes []int
}

// Item is something that was sent to the model with a message.
type Item struct {
	Ref      prompt.Ref
	Revision string // first 16 hex digits of the revision, as by prompt.Revision.Short; "" if unknown
}

// MarshalJSON writes the item as [kind, id, revision], or as [kind, id] without a revision.
func (it Item) MarshalJSON() ([]byte, error) {
	tag := []string{string(it.Ref.Kind), it.Ref.ID, it.Revision}
	if it.Revision == "" {
		tag = tag[:2]
	}
	return marshal(tag), nil
}

// UnmarshalJSON reads both forms. An invalid revision becomes "".
func (it *Item) UnmarshalJSON(data []byte) error {
	var tag [3]string
	err := json.Unmarshal(data, &tag)
	if _, bad := strconv.ParseUint(tag[2], 16, 64); bad != nil || len(tag[2]) != 16 {
		tag[2] = ""
	}
	*it = Item{Ref: prompt.Ref{Kind: prompt.Kind(tag[0]), ID: tag[1]}, Revision: tag[2]}
	return err
}

// Usage holds the numbers that a provider reported for a request, in tokens. Prompt includes the cached tokens. A
// negative number was not reported.
type Usage struct {
	Prompt     int     `json:"prompt"`
	Cached     int     `json:"cached"`
	CacheWrite int     `json:"cache_write"`
	Completion int     `json:"completion"`
	Reasoning  int     `json:"reasoning"`
	Cost       float64 `json:"cost"` // in US dollars
}

// Plus returns the sum of two usages. A number that one of them does not have is unknown in the sum.
func (u Usage) Plus(o Usage) Usage {
	add := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	sum := Usage{
		Prompt: add(u.Prompt, o.Prompt), Cached: add(u.Cached, o.Cached), CacheWrite: add(u.CacheWrite, o.CacheWrite),
		Completion: add(u.Completion, o.Completion), Reasoning: add(u.Reasoning, o.Reasoning), Cost: u.Cost + o.Cost,
	}
	if u.Cost < 0 || o.Cost < 0 {
		sum.Cost = -1
	}
	return sum
}

// Total sums up the requests to one model in a month. A number that was never reported is zero.
type Total struct {
	Month     string `json:"month"`    // 2025-03
	Provider  string `json:"provider"` // "" if unknown, as in old chats
	Model     string `json:"model"`
	Turns     int    `json:"turns"`
	Requests  int    `json:"requests"`  // a turn with tools has several; 0 if they were not counted
	Predicted int    `json:"predicted"` // tokens predicted to be cached, of the requests for which that was reported
	Usage
}

// counts returns pointers to the numbers of a total, without its cost.
func (t *Total) counts() []*int {
	u := &t.Usage
	return []*int{&t.Turns, &t.Requests, &t.Predicted, &u.Prompt, &u.Cached, &u.CacheWrite, &u.Completion, &u.Reasoning}
}

// Plus returns the sum of t and o, with month and model of t.
func (t Total) Plus(o Total) Total {
	more := o.counts()
	for i, n := range t.counts() {
		*n += max(*more[i], 0)
	}
	if o.Usage.Cost > 0 && !math.IsInf(o.Usage.Cost, 1) {
		t.Usage.Cost += o.Usage.Cost
	}
	return t
}

// sameKey reports whether two totals have the same month, provider and model.
func (t Total) sameKey(o Total) bool {
	return t.Month == o.Month && t.Provider == o.Provider && t.Model == o.Model
}

// Spend adds t to the chat's totals, in the month of at.
func (c *Chat) Spend(at time.Time, t Total) { c.Totals = Add(c.Totals, at, t) }

// Add returns a copy of totals with t added in the month of at.
func Add(totals []Total, at time.Time, t Total) []Total {
	t.Month = at.Format("2006-01")
	return addTotal(slices.Clone(totals), t)
}

// addTotal adds t to the total of the same month and model.
func addTotal(totals []Total, t Total) []Total {
	i := slices.IndexFunc(totals, t.sameKey)
	if i < 0 {
		i = len(totals)
		totals = append(totals, Total{Month: t.Month, Provider: t.Provider, Model: t.Model})
	}
	totals[i] = totals[i].Plus(t)
	return totals
}

// restoreURLs replaces URLs by their exact spelling in the block, since the context line cannot hold every URL
// unchanged.
func (c *Context) restoreURLs(refs []prompt.Ref) {
	exact := map[string]string{}
	for _, r := range refs {
		if written := escapeItem(r.ID, true); r.Kind == prompt.URL && written != r.ID {
			exact[written] = r.ID
		}
	}
	for _, list := range [][]string{c.URLs, c.WebTabs} {
		for i, written := range list {
			list[i] = cmp.Or(exact[written], written)
		}
	}
}

// messageHash identifies a message by role and text. Old blocks and journals hold it; see shortHash.
func messageHash(role Role, text string) string {
	sum := hashOf(role, text)
	return hex.EncodeToString(sum[:6])
}

// shortHash returns the hash of a message in a block: four characters, enough to tell apart the messages of one
// chat.
func shortHash(role Role, text string) string {
	sum := hashOf(role, text)
	return base64.RawStdEncoding.EncodeToString(sum[:3])
}

func hashOf(role Role, text string) [sha256.Size]byte {
	b := make([]byte, 0, len(role)+1+len(text))
	return sha256.Sum256(append(append(append(b, role...), 0), text...))
}

// instant is a time in seconds since 1970, and its zone in seconds east of UTC.
type instant struct {
	T int64 `json:"t,omitempty"`
	Z int   `json:"z,omitempty"`
}
