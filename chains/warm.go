package chains

import (
	"cmp"
	"context"
	"slices"

	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/history"
)

// A reopened chat goes on where it was left: its next request begins with the bytes of the last one, so that the
// provider's cache holds what it would hold if the chat had stayed open. The chat file says how the last request was
// arranged (history.LastRequest), prompt.Resume arranges it again from the texts of the chat and the present texts of
// the items, and compares. An item that has another text now counts as new from its place on.

// resume returns the state of the engine for a reopened chat: as if it had stayed open where the last request can be
// arranged again, else fresh, which begins anew. same reports that the last request is as it was sent.
func (s *Session) resume(ctx context.Context, talk *history.Chat, items []prompt.RecalledItem,
	missing []prompt.MissingRef, fresh prompt.Conversation,
) (resumed prompt.Conversation, same bool) {
	a := talk.Sent.Arrangement
	at := messageOfTurn(talk, a.Turn)
	if at < 0 {
		return fresh, false
	}
	before := *talk
	before.Messages = talk.Messages[:at]
	start := prompt.Reopen(replayMessages(before.Messages, missing), arrangedItems(&before, items, a),
		before.NotesToSelf(), s.opts.Count)
	replay := turnReplay{session: s, items: map[prompt.Ref]prompt.Item{}, missing: missing}
	for _, it := range items {
		replay.items[it.Item.Ref] = it.Item
	}
	replay.common = s.turnOf(s.settingsOf(a.Settings))
	var turns []prompt.PastTurn
	for i := at; i < len(talk.Messages); i++ {
		if talk.Messages[i].Role == history.User {
			turns = append(turns, replay.turn(ctx, talk, i))
		}
	}
	return prompt.Resume(start, fresh, a, turns)
}

// messageOfTurn returns the index of the question of a turn, -1 if there is none.
func messageOfTurn(c *history.Chat, turn int) int {
	for n, at := range c.Questions() {
		if n == turn {
			return at
		}
	}
	return -1
}

// arrangedItems returns the items that were known before the epoch of a: those of its library in their order, then the
// others. before is the chat before the epoch.
func arrangedItems(before *history.Chat, items []prompt.RecalledItem, a prompt.Arrangement) []prompt.RecalledItem {
	known := map[prompt.Ref]history.KnownItem{}
	for _, k := range before.Library() {
		known[k.Ref] = k
	}
	arranged := map[prompt.Ref]prompt.ArrangedCopy{}
	for _, h := range a.Library {
		arranged[h.Ref] = h
	}
	var out []prompt.RecalledItem
	for _, it := range inArrangedOrder(items, a) {
		k, wasKnown := known[it.Item.Ref]
		h, inLibrary := arranged[it.Item.Ref]
		if !wasKnown && !inLibrary {
			continue
		}
		out = append(out, prompt.RecalledItem{
			Item: it.Item, Since: cmp.Or(k.Since, a.Turn), Used: k.Used, Times: k.Times,
			Changed: inLibrary && k.Revision != "" && k.Revision != h.Revision,
			Left:    slices.Contains(a.Left, it.Item.Ref), InLibrary: inLibrary,
		})
	}
	return out
}

// inArrangedOrder returns items in the order of the library of a, then the others in their order.
func inArrangedOrder(items []prompt.RecalledItem, a prompt.Arrangement) []prompt.RecalledItem {
	places := map[prompt.Ref]int{}
	for i, h := range a.Library {
		places[h.Ref] = i + 1
	}
	place := func(r prompt.RecalledItem) int { return cmp.Or(places[r.Item.Ref], len(a.Library)+1) }
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(x, y prompt.RecalledItem) int { return place(x) - place(y) })
	return items
}

// settingsOf returns the settings of the next request. digest is that of the last one: if it offered tools, the next
// one does, too.
func (s *Session) settingsOf(digest string) prompt.Turn {
	s.opts.learnCalling()
	t := prompt.Turn{Settings: s.settings()}
	if s.tools.offers {
		s.opts.setTools(&t, s.callableTools())
		return t
	}
	offering := t
	s.opts.setTools(&offering, s.callableTools())
	if _, others := offering.Settings.Digest(); others == digest && offering.Settings != t.Settings {
		s.tools.offers = true
		return offering
	}
	return t
}

// turnReplay arranges turns of a chat again.
type turnReplay struct {
	session *Session
	common  prompt.Turn // what all turns have
	items   map[prompt.Ref]prompt.Item
	missing []prompt.MissingRef
}

// turn returns the turn with the question at index i of talk.
func (r *turnReplay) turn(ctx context.Context, talk *history.Chat, i int) prompt.PastTurn {
	m := &talk.Messages[i]
	t := prompt.PastTurn{Turn: r.common}
	t.Text = m.Text
	t.Now = m.Time
	t.Context = contextLine(*m, r.missing)
	t.Active = m.Context.Active
	t.Directive = calltext.BlockGuide // if there was one
	notes := m.Notes
	if i+1 < len(talk.Messages) && talk.Messages[i+1].Role == history.Assistant {
		reply := &talk.Messages[i+1]
		t.Reply = reply.Text
		t.Broken = !reply.Status.Whole()
		notes = append(slices.Clip(notes), reply.Notes...)
	}
	if n := len(notes); n > 0 {
		t.Note = notes[n-1]
	}
	r.attach(ctx, &t, m)
	return t
}

// attach adds the items that were sent with a message.
func (r *turnReplay) attach(ctx context.Context, t *prompt.PastTurn, m *history.Message) {
	named := m.Refs()
	for _, sent := range m.Meta.Items {
		ofProject := slices.Contains(t.Project, sent.Ref) && !slices.Contains(named, sent.Ref)
		it, found := r.items[sent.Ref]
		if !found || ofProject {
			continue
		}
		t.Attached = append(t.Attached, it)
		if it.Revision.Short() != sent.Revision {
			t.Changed = append(t.Changed, it.ID)
		}
	}
	r.session.images(ctx, t.Attached, prompt.NoteRef(t.Active))
}

// changedItems returns a notice for each item whose text is not the one of the last request, or of an earlier one of
// its epoch: it goes to the model anew, with what follows it.
func changedItems(talk *history.Chat, items []prompt.RecalledItem) (notices []Notice) {
	first := firstRevisions(talk)
	for _, it := range items {
		id, was := it.Item.ID, first[it.Item.Ref]
		switch {
		case it.Changed:
			notices = append(notices,
				Notice{Kind: "changed_note", Text: id + " has changed since this chat; the next turn takes it as it is now."})
		case was != "" && was != it.Item.Revision.Short():
			notices = append(notices,
				Notice{Kind: "changed_note", Text: id + " changed during this chat; the next turn sends it anew, as it is now."})
		}
	}
	return notices
}

// firstRevisions returns the first revision of each item in the epoch of the last request.
func firstRevisions(talk *history.Chat) map[prompt.Ref]string {
	first := map[prompt.Ref]string{}
	at := messageOfTurn(talk, talk.Sent.Arrangement.Turn)
	if at < 0 {
		return first
	}
	for _, h := range talk.Sent.Arrangement.Library {
		first[h.Ref] = h.Revision
	}
	for _, m := range talk.Messages[at:] {
		for _, it := range m.Meta.Items {
			first[it.Ref] = cmp.Or(first[it.Ref], it.Revision)
		}
	}
	return first
}
