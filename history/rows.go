package history

import (
	"fmt"
	"slices"
	"time"

	"ibid/vault"
)

// ChatRow is the JSON form of a chat for `chats show --json`.
type ChatRow struct {
	Path     vault.Path   `json:"path"`
	Epoch    int64        `json:"epoch"`
	Title    string       `json:"title"`
	Model    string       `json:"model"`
	Tags     []string     `json:"tags"`
	Messages []MessageRow `json:"messages"`
	Branch   Origin       `json:"branch,omitzero"`    // chat and message that it was branched off
	Variants []VariantRow `json:"variants,omitempty"` // with --variants
	Warnings []string     `json:"warnings"`
}

// MessageRow is the JSON form of a message.
type MessageRow struct {
	Role     Role        `json:"role"`
	Thinking string      `json:"thinking,omitempty"` // saved thinking before a reply
	Text     string      `json:"text"`
	Time     string      `json:"time,omitempty"`
	Context  *ContextRow `json:"context,omitempty"`
	CutOff   bool        `json:"cut_off"`
	Status   Status      `json:"status,omitempty"`
}

// ContextRow is the JSON form of a message's context, with the state of its paths.
type ContextRow struct {
	Notes []ResolvedPath `json:"notes"`
	Context
}

// ShowChat returns the JSON form of chat. The vault must have been scanned, and revision is as for [Resolve].
func ShowChat(chat *Chat, warnings []Warning, in *vault.Vault, revision func(vault.Path) string) ChatRow {
	now, resolved := Resolve(chat, in, revision)
	out := ChatRow{
		Path: chat.Path, Epoch: chat.Epoch, Title: chat.Name(), Branch: chat.Origin, Model: chat.Model,
		Tags: JSONList(chat.Tags), Messages: []MessageRow{}, Warnings: []string{},
	}
	for _, w := range warnings {
		out.Warnings = append(out.Warnings, w.Text)
	}
	for _, r := range resolved {
		if w, ok := r.Warning(); ok && !slices.Contains(out.Warnings, w.Text) {
			out.Warnings = append(out.Warnings, w.Text)
		}
	}
	for i, m := range now.Messages {
		out.Messages = append(out.Messages, messageRow(i+1, m, resolved))
	}
	return out
}

func messageRow(n int, m Message, resolved []ResolvedPath) MessageRow {
	out := MessageRow{Role: m.Role, Thinking: m.Thought, Text: m.Text, Status: m.Status, CutOff: m.Status == StatusCut}
	if !m.Time.IsZero() {
		out.Time = m.Time.Format(time.RFC3339)
	}
	if m.Context.Empty() {
		return out
	}
	c := &ContextRow{[]ResolvedPath{}, m.Context}
	for _, list := range c.lists() {
		*list = JSONList(*list)
	}
	for _, r := range resolved {
		if r.Message == n {
			c.Notes = append(c.Notes, r)
		}
	}
	out.Context = c
	return out
}

// VariantRow is the JSON form of one end of a turn that has several, or of a turn that was taken back.
type VariantRow struct {
	Turn     int    `json:"turn"`
	N        int    `json:"n"` // number from 1
	Of       int    `json:"of"`
	Shown    bool   `json:"shown"`
	Undone   bool   `json:"taken_back"`
	Question string `json:"question"`
	Reply    string `json:"reply"`
	Status   Status `json:"status,omitempty"`
	Model    string `json:"model,omitempty"`
	Time     string `json:"time,omitempty"`
	Usage    *Usage `json:"usage,omitempty"`
}

// VariantRows returns the ends of turns that have several, and the turns that were taken back.
func VariantRows(chat *Chat) (all []VariantRow) {
	add := func(turn int, ends []Variant, shown int) {
		for k := range ends {
			v := &ends[k]
			out := VariantRow{
				Turn: turn, N: k + 1, Of: len(ends), Shown: k == shown, Undone: shown < 0, Question: v.Messages[0].Text,
				Model: v.Model, Usage: v.Usage,
			}
			out.Reply, out.Status = v.Reply()
			for i := range v.Messages {
				if m := &v.Messages[i]; m.Role == Assistant && !m.Time.IsZero() {
					out.Time = m.Time.Format(time.RFC3339)
				}
			}
			all = append(all, out)
		}
	}
	for turn, at := range chat.Questions() {
		if ends, shown := chat.Ends(at); len(ends) > 1 {
			add(turn, ends, shown)
		}
	}
	for i, ends := range chat.Undone {
		add(chat.Turns()+1+i, ends, -1)
	}
	return all
}

// Describe returns the heading of a variant.
func (v *VariantRow) Describe() string {
	what := fmt.Sprintf("Turn %d, variant %d of %d", v.Turn, v.N, v.Of)
	switch {
	case v.Undone:
		what += ", taken back"
	case v.Shown:
		what += ", shown"
	}
	if v.Model != "" {
		what += ", " + v.Model
	}
	if v.Status != "" {
		what += ", " + v.Status.Describe()
	}
	return what
}

// JSONList returns a copy of all that is not nil, which JSON would write as null.
func JSONList[T any](all []T) []T { return append([]T{}, all...) }
