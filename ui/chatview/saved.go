package chatview

import (
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/reading"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// messagesOf returns the messages of a chat for the transcript.
func messagesOf(chat *history.Chat, opts *chains.Options) (all []transcript.Message) {
	variants, drawn := variantsOf(chat), reading.Page(chat)
	var models []string // by turn, "" where the answering model is unknown
	for _, at := range chat.Questions() {
		ends, shown := chat.Ends(at)
		models = append(models, ends[shown].Model)
	}
	turn := 0
	for i, m := range drawn.Messages {
		n := i + 1
		one := savedMessage(n, m)
		if one.Role == transcript.You {
			turn++
		} else if one.Dead, one.Sources = opts.Dead(md.Wikilinks(one.Text)), targetsOf(one.Text); turn > 0 {
			one.Detail = models[turn-1]
		}
		one.Variant = variants[n]
		all = append(all, withCalls(one, savedTools(n, &m), &m)...)
	}
	return all
}

// messageID returns the id of the n-th message of a saved chat.
func messageID(n int) string { return fmt.Sprintf("m%d", n) }

// savedMessage converts the n-th message of a chat for the transcript.
func savedMessage(n int, m history.Message) transcript.Message {
	out := transcript.Message{ID: messageID(n), Text: m.Text, At: m.Time, Role: transcript.You}
	if m.Role == history.User {
		refs := m.Refs()
		for _, r := range refs {
			state := transcript.ChipLibrary
			if r.ID == m.Context.Active {
				state = transcript.ChipActive
			}
			out.Chips = append(out.Chips, transcript.Chip{State: state, Label: r.Label(), Link: r.Link()})
		}
		for _, it := range m.Meta.Items { // results of queries come with their notes, and have no reference in the text
			if it.Ref.Kind == prompt.Query && !slices.Contains(refs, it.Ref) {
				out.Chips = append(out.Chips, transcript.Chip{
					State: transcript.ChipLibrary, Label: it.Ref.Label(),
					Link: it.Ref.Link(),
				})
			}
		}
		return out
	}
	out.Role, out.Reasoning = transcript.Assistant, m.Thought
	if rest, ok := strings.CutPrefix(m.Text, "<think>"); ok {
		// some programs save the thinking in front of the reply
		if thought, reply, ok := strings.Cut(rest, "</think>"); ok {
			out.Reasoning, out.Text = strings.TrimSpace(thought), strings.TrimLeft(reply, "\n")
		}
	}
	switch {
	case m.Status == history.StatusCancelled:
		out.Status = transcript.Cancelled
	case m.Status == history.StatusLength:
		out.Status = transcript.CutOff
	case m.Status == history.StatusFilter:
		out.Status = transcript.Filtered
	case m.Status == history.StatusCut, m.Status.ErrorKind() != "":
		out.Status = transcript.Failed
	}
	return out
}
