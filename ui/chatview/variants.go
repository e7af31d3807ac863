package chatview

import (
	"ibid/history"
	"ibid/ui/transcript"
)

// VariantsOf is which end is shown of the turns that have several, by the number of
// the last displayed message of the turn.
func VariantsOf(chat *history.Chat) map[int]transcript.Variant {
	all := map[int]transcript.Variant{}
	for turn, at := range chat.Questions() {
		if ends, shown := chat.Ends(at); len(ends) > 1 {
			all[chat.Through(turn)] = transcript.Variant{Turn: turn, N: shown + 1, Of: len(ends)}
		}
	}
	return all
}

// VariantMsg says that.
type VariantMsg struct {
	ID string
	transcript.Variant
}

func SetVariant(t *transcript.Transcript, msg VariantMsg) {
	if shown, ok := t.Message(msg.ID); ok && shown.Status != transcript.Streaming {
		shown.Variant = msg.Variant
		t.Update(shown)
	}
}
