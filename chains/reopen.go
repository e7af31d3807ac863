package chains

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/history"
)

// Reopen makes a session of a saved chat: the transcript as it was shown, the
// library rebuilt from the chat's references with what the notes hold now. What
// moved, changed or is missing comes back as notices; a reference that leads
// nowhere stays in the file for the day its note comes back.
func Reopen(ctx context.Context, o Options, chat history.Chat) (*Session, []Notice, error) {
	s := NewSession(o)
	s.chat = chat
	if o.ModelName != "" {
		s.chat.Model = o.ModelName
	}
	conv, notices, err := s.rebuild(ctx, &s.chat, false)
	if err != nil {
		return nil, nil, fmt.Errorf("rebuild the library of %s: %w", chat.Path, err)
	}
	s.conv = conv
	s.publish()
	return s, notices, nil
}

// rebuild makes the engine's state from a chat. Pages are fetched only if fetch
// is set: reopening a chat asks nobody anything. Until then they are unknown.
func (s *Session) rebuild(ctx context.Context, chat *history.Chat, fetch bool) (prompt.Conversation, []Notice, error) {
	s.lost = false
	var notices []Notice
	var items []prompt.Recalled
	for _, k := range chat.Library() {
		if k.Ref.Kind == prompt.URL && !fetch {
			s.lost = true
			continue
		}
		found, missing, err := s.opts.Gather.Gather(ctx, []prompt.Ref{k.Ref})
		if err != nil {
			return prompt.Conversation{}, nil, err
		}
		for _, m := range missing {
			notices = append(notices, Notice{Kind: m.State + "_note", Text: m.Reason})
		}
		for _, it := range found {
			if slices.ContainsFunc(items, func(r prompt.Recalled) bool { return r.Item.ID == it.ID }) {
				continue
			}
			items = append(items, prompt.Recalled{Item: it, Since: k.Since, Used: k.Used, Times: k.Times, Muted: k.Muted})
			if k.Revision != "" && it.Ref == k.Ref && it.Revision.Short() != k.Revision {
				notices = append(notices, Notice{Kind: "changed_note", Text: it.ID + " has changed since this chat; the next turn takes it as it is now."})
			}
		}
	}
	past := chat.Past()
	for i := range past {
		if past[i].Role == prompt.Assistant {
			past[i].Text = withoutThinking(past[i].Text)
		}
	}
	return prompt.Reopen(past, items, chat.NotesToSelf(), s.opts.Count), notices, nil
}

// withoutThinking takes the thinking out of a reply that another program saved
// with it: it is shown, and never sent back.
func withoutThinking(text string) string {
	for {
		start := strings.Index(text, "<think>")
		if start < 0 {
			return text
		}
		end := strings.Index(text[start:], "</think>")
		if end < 0 {
			return text
		}
		text = strings.TrimLeft(text[:start]+text[start+end+len("</think>"):], "\n")
	}
}
