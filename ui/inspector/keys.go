package inspector

import "charm.land/bubbles/v2/key"

// Keys are the keys of the inspector: of its rows, and, where that is said, of the text
// that has the whole page.
func Keys() []key.Binding {
	b := func(does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], does))
	}
	return []key.Binding{
		b("the exact text on the whole page, and back", "enter"),
		b("row up; in the text scroll up", "up", "k"),
		b("row down; in the text scroll down", "down", "j"),
		b("page up", "pgup"),
		b("page down", "pgdown"),
		b("first row", "home", "g"),
		b("last row", "end", "G"),
		b("layer before", "["),
		b("next layer", "]"),
		b("the request of the turn before", "left"),
		b("the request of the turn after it", "right"),
		b("scroll the text beside the rows down", "J"),
		b("scroll the text beside the rows up", "K"),
		b("filter the rows", "/"),
		b("attach the item to the next turn", "a"),
		b("mute the item, or refer to it again", "m"),
		b("forget the item, with what that costs", "e"),
		b("refresh the library, with what that costs", "r"),
		b("what changed between two requests", "d"),
		b("copy the exact text", "y"),
		b("leave the filter, then the page", "esc", "f2"),
	}
}
