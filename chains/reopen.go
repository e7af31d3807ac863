package chains

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/history"
)

// Reopen returns a session for a saved chat. The transcript is as it was shown; the library is rebuilt from the
// chat's references with the current text of the notes. Notices report what moved, changed or is missing; a
// reference that leads nowhere stays in the file, since its note may come back. Nothing is fetched from the network
// before the next turn.
func Reopen(ctx context.Context, o Options, chat history.Chat) (*Session, []Notice, error) {
	s := NewSession(o)
	chain := s.chat.Chain
	s.chat, s.last.named = chat, true
	s.sentAt = chat.Sent.At
	s.chat.Chain = cmp.Or(chat.Chain, chain)
	if o.ModelName != "" {
		s.chat.Model = o.ModelName
	}
	r, err := s.rebuild(ctx, &s.chat, false)
	if err != nil {
		return nil, nil, fmt.Errorf("rebuild the library of %s: %w", chat.Path, err)
	}
	s.conv, s.stale, s.opening = r.conv, len(r.unread) > 0, r.notices
	s.publish()
	return s, r.notices, nil
}

// rebuiltState is the state of the engine, rebuilt from a chat.
type rebuiltState struct {
	conv    prompt.Conversation
	notices []Notice
	unread  []prompt.Ref // pages that were not fetched
}

// rebuild rebuilds the state of the engine from a chat, as it would be if the session had never ended: failed turns
// leave the same behind. Pages are fetched only if fetch is set; until then they are unknown.
func (s *Session) rebuild(ctx context.Context, chat *history.Chat, fetch bool) (rebuiltState, error) {
	talk, items := recall(chat)
	var r rebuiltState
	var away []prompt.MissingRef
	library := talk.Library()
	listed := func(ref prompt.Ref) bool {
		return slices.ContainsFunc(library, func(k history.KnownItem) bool { return k.Ref == ref })
	}
	for _, k := range library {
		if k.Ref.Kind == prompt.URL && !fetch && s.pageAccess(k.Ref) != noAccess {
			r.unread = append(r.unread, k.Ref)
			continue
		}
		found, missing, err := s.gather(ctx, []prompt.Ref{k.Ref})
		if err != nil {
			return rebuiltState{}, err
		}
		if k.Ref.IsGiven() && len(found) > 0 && found[0].Revision.Short() != k.Revision {
			found = nil // the text belongs to the turn that is not sent yet
			missing = []prompt.MissingRef{missingRef(k.Ref, "given", ": what was given to this chat before is not kept")}
		}
		if k.Revision != "" && (len(found) == 0 || found[0].Revision.Short() != k.Revision) {
			if it, ok := s.opts.Gather.Find(k.Ref, k.Revision); ok {
				found, missing = []prompt.Item{it}, nil
			}
		}
		for _, m := range missing {
			r.notices = append(r.notices, Notice{Kind: m.State + "_note", Text: m.Reason})
		}
		away = append(away, missing...)
		for _, it := range found {
			if it.Ref != k.Ref && listed(it.Ref) { // the result of a query in that note
				continue
			}
			if slices.Contains(chat.Forgotten, it.Ref) ||
				slices.ContainsFunc(items, func(r prompt.RecalledItem) bool { return r.Item.ID == it.ID }) {
				continue
			}
			muted := k.Muted || slices.Contains(chat.Muted, it.Ref)
			changed := k.Revision != "" && it.Ref == k.Ref && it.Revision.Short() != k.Revision
			items = append(items,
				prompt.RecalledItem{Item: it, Since: k.Since, Used: k.Used, Times: k.Times, Muted: muted, Changed: changed})
		}
	}
	more, err := s.unsent(ctx, &talk)
	if err != nil {
		return rebuiltState{}, err
	}
	away = append(away, more...)
	slices.SortStableFunc(items, func(a, b prompt.RecalledItem) int { return a.Since - b.Since })
	items = inArrangedOrder(items, talk.Sent.Arrangement)
	fresh := prompt.Reopen(replayMessages(talk.Messages, away), items, talk.NotesToSelf(), s.opts.Count)
	same := false
	r.conv, same = s.resume(ctx, &talk, items, away, fresh)
	if !same {
		r.notices = append(r.notices, changedItems(&talk, items)...)
	}
	r.conv = muteRefs(r.conv, chat.Muted, true)
	return r, nil
}

// unsent reports why notes that a chat names, but never sent, cannot be sent.
func (s *Session) unsent(ctx context.Context, chat *history.Chat) ([]prompt.MissingRef, error) {
	went := map[prompt.Ref]bool{}
	for _, k := range chat.Library() {
		went[k.Ref] = true
	}
	var named []prompt.Ref
	for _, m := range chat.Messages {
		for _, r := range m.Context.Refs() {
			if r.Kind.Info().InFile && !went[r] {
				went[r] = true
				named = append(named, r)
			}
		}
	}
	_, missing, err := s.opts.Gather.Gather(ctx, named)
	return missing, err
}

// recall returns the chat as the engine sees it, and the notes saved inside old messages. It leaves out messages
// that were never answered, and the attachments of replies that broke off.
func recall(chat *history.Chat) (history.Chat, []prompt.RecalledItem) {
	talk := *chat
	talk.Messages = nil
	var items []prompt.RecalledItem
	turn := 0
	for i, m := range chat.Messages {
		if m.Role == history.Assistant {
			failed := errorChunk.MatchString(m.Text)
			m.Text, m.Meta.Footer = calltext.WithoutThinking(errorChunk.ReplaceAllString(m.TextWithoutSources(), "")), 0
			if failed && strings.TrimSpace(m.Text) == "" {
				continue // an error and no text: not a reply
			}
			talk.Messages = append(talk.Messages, m)
			continue
		}
		var next history.Message
		if i+1 < len(chat.Messages) {
			next = chat.Messages[i+1]
		}
		answered := next.Role == history.Assistant || len(m.Notes) > 0
		if !answered && !m.Foreign() {
			continue
		}
		turn++
		if next.Role == history.Assistant && !next.Status.Whole() {
			m.Context, m.Meta.Refs, m.Meta.Items = history.Context{}, nil, nil
		}
		if it, question, ok := inlinedIn(chat, i); ok {
			m.Text = question
			items = remember(items, it, turn, chat.Forgotten)
		}
		talk.Messages = append(talk.Messages, m)
	}
	return talk, items
}

// errorChunk matches the mark that Copilot writes where a reply failed.
var errorChunk = regexp.MustCompile(`(?s)<errorChunk>.*?</errorChunk>`)

// unansweredRefs returns what the person attached to the last turn of a chat, if its reply broke off or never came.
func unansweredRefs(c *history.Chat) []prompt.Ref {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role != history.User {
			continue
		}
		replied := i+1 < len(c.Messages)
		if replied && c.Messages[i+1].Status.Whole() || !replied && (len(m.Notes) > 0 || m.Foreign()) {
			return nil
		}
		return slices.DeleteFunc(withoutRefs(inputOf(&m).Attach, c.Forgotten), prompt.Ref.IsGiven)
	}
	return nil
}

// replayMessages returns the messages as the engine replays them. It joins consecutive messages of the same role,
// which only other programs write, because servers refuse them. missing lists the references that could not be
// read.
func replayMessages(messages []history.Message, missing []prompt.MissingRef) []prompt.Past {
	var past []prompt.Past
	for i, m := range messages {
		role := prompt.User
		if m.Role == history.Assistant {
			role = prompt.Assistant
		}
		joins := i > 0 && messages[i-1].Role == m.Role && len(messages[i-1].Notes) == 0
		if n := len(past); joins && m.Text != "" && past[n-1].Text != "" {
			past[n-1].Text += "\n\n" + m.Text
			past[n-1].Context = cmp.Or(past[n-1].Context, contextLine(m, missing))
			continue
		}
		past = append(past, prompt.Past{Role: role, Text: m.Text, Context: contextLine(m, missing)})
	}
	return past
}

// contextLine returns the context line of a message for the model, without private and ignored notes, and those of
// which that is not known.
func contextLine(m history.Message, missing []prompt.MissingRef) string {
	var private []prompt.Ref
	for _, x := range missing {
		if x.State == "private" || x.State == "ignored" || x.State == prompt.UncheckedRef {
			private = append(private, x.Ref)
		}
	}
	return m.Without(private).Context.Line()
}

// inlinedKind is the kind of the items that old chats saved inside a message: the text of attached notes, in front
// of the question.
const inlinedKind prompt.Kind = "inlined"

// inlinedIn splits a message of an old chat into the notes saved in its text and the question. ok is false for
// messages of sessions, which contain only what was typed.
func inlinedIn(chat *history.Chat, at int) (it prompt.Item, question string, ok bool) {
	m := &chat.Messages[at]
	if !chat.Compat() || !m.Foreign() {
		return prompt.Item{}, "", false
	}
	context, question := m.Inlined()
	if context == "" {
		return prompt.Item{}, "", false
	}
	// Named by its content, because the same notes were saved with one message after another.
	ref := prompt.Ref{Kind: inlinedKind, ID: "inlined:" + hashOf(prompt.CanonicalText(context))[:8]}
	return prompt.NewItem(ref, "Saved with an earlier message", string(chat.Path), context), question, true
}

// remember adds an item that was saved inside a message of the given turn, or counts another use of it.
func remember(items []prompt.RecalledItem, it prompt.Item, turn int, forgotten []prompt.Ref) []prompt.RecalledItem {
	if slices.Contains(forgotten, it.Ref) {
		return items
	}
	for i := range items {
		if items[i].Item.Ref == it.Ref {
			items[i].Used = turn
			items[i].Times++
			return items
		}
	}
	return append(items, prompt.RecalledItem{Item: it, Since: turn, Used: turn, Times: 1})
}
