package vault

import (
	"slices"
	"strings"
)

// chatMarks are the signs of a saved chat that a note has.
type chatMarks uint8

const (
	chatProps  chatMarks = 1 << iota // properties that only programs that save chats write
	chatHeader                       // the first line of a message
)

// SetChats sets the folder of saved chats; it must be called before the vault is scanned. A note in the folder
// is a chat if it has the header of a message. Anywhere else it is a chat if it has a numeric epoch and the
// property modelKey or ibid, or the tag copilot-conversation.
func (v *Vault) SetChats(folder Path) { v.chats = folder }

// classify sets the fields of a note that depend on settings: whether it is a chat, and whether a rule makes it
// private.
func (v *Vault) classify(n *Note, f *filters) {
	n.Chat = n.chat&chatProps != 0 || n.chat&chatHeader != 0 && v.chats != "" && n.Path.In(v.chats)
	n.applyTagRules(f)
}

// markChat marks a note that has the properties of a chat, and uses their topic as its title.
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
