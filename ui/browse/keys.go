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

// Openers returns the functions that open the lists.
func (c *Catalog) Openers() map[page.ID]page.Opener {
	list := func(s func() page.Source) page.Opener {
		return func(o page.Open) page.Request { return page.Show{Page: page.NewList(c.Env, s(), o.Arg)} }
	}
	notes := list(func() page.Source { return &noteSearch{noteList: noteList{Catalog: c}} })
	return map[page.ID]page.Opener{
		page.Mentions: list(func() page.Source { return &noteList{Catalog: c} }),
		page.Commands: list(func() page.Source { return &commandList{promptList{Catalog: c}} }),
		page.Prompts:  list(func() page.Source { return &promptList{Catalog: c} }),
		page.Palette:  list(func() page.Source { return &palette{Catalog: c} }),
		page.Notes: func(o page.Open) page.Request {
			return page.Steps{notes(o), page.Do{Work: readIndexProgress(c.Finder)}}
		},
		page.Chats: func(o page.Open) page.Request {
			if c.Store == nil {
				return page.Complain("chats are not kept in this session (--no-save)")
			}
			l := &chatList{Catalog: c}
			return page.Steps{page.Show{Page: page.NewList(c.Env, l, o.Arg)}, post(ListChats{}), l.search(o.Arg)}
		},
		page.Rename: func(o page.Open) page.Request {
			r := newRename(c, vault.Path(o.Arg))
			return page.Show{Page: page.NewList(c.Env, r, r.title)}
		},
	}
}

// OpenEarlier opens the list of earlier prompts.
func (c *Catalog) OpenEarlier(prompts composer.PromptHistory, query string) page.Request {
	l := &earlierList{Catalog: c, prompts: prompts}
	l.take()
	return page.Show{Page: page.NewList(c.Env, l, query)}
}
