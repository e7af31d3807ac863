package history

import (
	"cmp"
	"math"
	"slices"

	"ibid/history/properties"
)

// facts are the data of a frontmatter that are not fields of Chat.
type facts struct {
	properties.List

	topic        string
	legacy       bool     // ibid's properties are at the top level, as old versions wrote them
	mapping      bool     // ibid's properties are under "ibid"
	mode         string   // the mode in which an agent of Copilot runs turns, "" if there is none
	unknownLines string   // lines under "ibid" that this version does not know
	foreign      int      // number of header lines that another program wrote
	links        []string // links of ibid's property "notes", nil if there is none
	addedLinks   []string // those of links that a person added
}

// created reports whether ibid created the file.
func (f *facts) created() bool { return f.legacy || f.mapping && f.foreign < 0 }

// front is a parsed frontmatter: the chat's fields and the facts.
type front struct {
	facts
	chat  Chat
	title string
}

// parseFront parses the inside of a frontmatter and the properties that the hidden block carries for it. Bad
// YAML gives an error together with the properties that could be read.
func parseFront(inside, hidden string) (f front, err error) {
	f.List, err = properties.Parse(inside)
	more, _ := properties.Parse(hidden) // the error is ignored: damaged ones give what can be read
	below := false
	all := append(slices.Clip(f.All), more.All...)
	for i := range all {
		if all[i].Key == "ibid" {
			f.readOwn(&all[i])
		}
	}
	for i := range all {
		f.readProperty(&all[i], below)
		below = below || all[i].Key == "ibid"
	}
	if !f.legacy && !f.mapping {
		f.foreign = math.MaxInt
	}
	f.chat.Title, f.chat.Model = f.name(), cmp.Or(f.chat.Model, modelName(f.chat.ModelKey))
	return f, err
}

// name returns the chat's title. Copilot writes only the topic, so where topic and title differ, the topic is
// newer.
func (f *front) name() string { return cmp.Or(f.topic, f.title) }

// edited returns the title of an old chat that was saved with the title known: title if the topic is still
// known, else name.
func (f *front) edited(known string) string {
	if f.title != "" && f.topic == known {
		return f.title
	}
	return f.name()
}

// readOwn reads the property "ibid": the version of the format, or a mapping of the version and the other
// values that only ibid reads.
func (f *front) readOwn(p *properties.Property) {
	c := &f.chat
	entries, ok := p.Entries()
	if !ok {
		c.file.version = int(p.Number())
		f.legacy = c.file.version > 0
		f.Fixed = f.Fixed || !p.Empty() && !f.legacy
		return
	}
	f.mapping, f.foreign = true, -1
	for i := range entries {
		e := &entries[i]
		own := c.ownTexts()
		switch i := slices.IndexFunc(own, func(p ownText) bool { return p.key == e.Key }); e.Key {
		case "v":
			c.file.version = int(e.Number())
		case "pinned":
			c.Pinned = e.Text() == "true"
		case "epoch":
			c.Epoch = e.Number()
		case "foreign":
			f.foreign = int(max(e.Number(), 0))
		default:
			if i >= 0 {
				*own[i].text = e.Text()
			} else {
				f.unknownLines += e.Lines()
			}
		}
	}
}

// readProperty reads one property; below says that it is below the property "ibid".
func (f *front) readProperty(p *properties.Property, below bool) {
	switch p.Key {
	case "epoch":
		f.chat.Epoch = cmp.Or(p.Number(), f.chat.Epoch)
	case "lastAccessedAt":
		f.chat.Accessed = p.Number()
	case "modelKey":
		f.chat.ModelKey = p.Text()
	case "topic":
		f.topic = cleanTitle(p.Text())
	case "title":
		f.title = cleanTitle(p.Text())
	case "model":
		if f.legacy {
			f.chat.Model = p.Text()
		}
	case "layout":
		if f.legacy {
			f.chat.Layout = p.Text()
		}
	case "mode": // written by Copilot's agents
		f.mode = p.Text()
	case "tags":
		f.chat.Tags = p.Tags()
	case "notes":
		if below {
			f.links = p.Links()
		}
	}
}
