package browse

import (
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/vault"
)

// Lists returns empty lists of this package, for their keys.
func Lists(env page.Env) []page.Source {
	c := &Catalog{Setup: &chatview.Setup{Env: env}, Edits: true}
	return []page.Source{
		&chatList{Catalog: c}, &promptList{Catalog: c}, &noteSearch{noteList: noteList{Catalog: c}},
		&noteList{Catalog: c},
		&linkList{Catalog: c},
	}
}

// keysOfHelp lists the keys of the help. esc and enter close, as its last row says.
const keysOfHelp = `help
g home: beginning
G end: end
esc q enter f1: close`

// Keys returns the keys of the pages that are not lists.
func Keys() []keys.Key { return keys.ParseKeys(keysOfHelp) }

// showList returns the request that shows a list.
func (c *Catalog) showList(s page.Source, query string) page.Request {
	return page.Show{Page: page.NewList(c.Env, s, query)}
}

// OpenList opens a list.
func (c *Catalog) OpenList(o page.Open) page.Request {
	var s page.Source
	switch o.ID {
	case page.Mentions:
		s = &noteList{Catalog: c}
	case page.Commands:
		s = &commandList{promptList{Catalog: c}}
	case page.Prompts:
		s = &promptList{Catalog: c}
	case page.Palette:
		s = &palette{Catalog: c}
	case page.Notes:
		s = &noteSearch{noteList: noteList{Catalog: c}}
	case page.Chats:
		if c.Store == nil {
			return page.Complain("chats are not kept in this session (--no-save)")
		}
		chats := &chatList{Catalog: c}
		return page.Steps{c.showList(chats, o.Arg), post(ListChats{}), chats.search(o.Arg)}
	case page.Rename:
		r := newRename(c, vault.Path(o.Arg))
		return c.showList(r, r.title)
	}
	return c.showList(s, o.Arg)
}

// OpenEarlier opens the list of earlier prompts.
func (c *Catalog) OpenEarlier(prompts composer.PromptHistory, query string) page.Request {
	l := &earlierList{Catalog: c, prompts: prompts}
	l.take()
	return c.showList(l, query)
}
