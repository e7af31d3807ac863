package vault

import (
	"slices"
	"strings"
)

// chatMarks is what a note has of a saved chat.
type chatMarks uint8

const (
	chatProps  chatMarks = 1 << iota // properties that only programs that save chats write
	chatHeader                       // a line that begins a message
)

// SetChats says in which folder chats are saved, before the vault is scanned. A note
// there is a chat if it holds the header of a message; anywhere else, if it has a
// numeric epoch and the property modelKey or ibid, or the tag copilot-conversation.
func (v *Vault) SetChats(folder Path) { v.chats = folder }

// classify says of a note what depends on the settings: whether it is a chat, and
// whether a rule makes it private.
func (v *Vault) classify(n *Note, f *filters) {
	n.Chat = n.chat&chatProps != 0 || n.chat&chatHeader != 0 && v.chats != "" && n.Path.In(v.chats)
	n.hide(f)
}

// markChat notes that the properties are those of a chat, whose name is its topic.
func (d *draft) markChat(tags []string) {
	epoch, ours, topic := false, slices.Contains(tags, "copilot-conversation"), ""
	for i := range d.props {
		switch f := &d.props[i]; f.key {
		case "epoch":
			epoch = f.value.shape == scalarShape && f.value.text != "" && strings.Trim(f.value.text, "0123456789") == ""
		case "modelKey", "ibid":
			ours = true
		case "topic":
			topic = strings.TrimSpace(f.value.text)
		}
	}
	if epoch && ours {
		if d.chat |= chatProps; topic != "" && d.Title == d.Path.Base() {
			d.Title = topic
		}
	}
}

// beginsMessage reports whether a line of text is the header of a message.
func beginsMessage(line string) bool {
	return strings.HasPrefix(line, "**user**:") || strings.HasPrefix(line, "**ai**:")
}
