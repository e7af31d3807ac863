package history

import (
	"cmp"
	"math"
	"slices"

	"ibid/history/properties"
)

// facts is what a frontmatter says besides what it says of the chat.
type facts struct {
	properties.List

	topic   string
	legacy  bool     // its own properties stand at the top
	mapping bool     // they stand under "ibid"
	mode    string   // how an agent of Copilot runs turns, "" if it does not say
	others  string   // of those under "ibid", lines that this version does not know
	foreign int      // lines that read as headers in what another program wrote
	links   []string // of the property of used notes, nil if there is none of ours
	kept    []string // of these, what a person added
}

// created reports whether ibid created the file.
func (f *facts) created() bool { return f.legacy || f.mapping && f.foreign < 0 }

// front is what the frontmatter says of the chat, and besides.
type front struct {
	facts
	chat  Chat
	title string
}

// parseFront reads the inside of a frontmatter, and the properties that the hidden
// block has for it. Bad YAML gives an error together with what could be read property
// by property.
func parseFront(inside, hidden string) (f front, err error) {
	f.List, err = properties.Parse(inside)
	more, _ := properties.Parse(hidden) // of damaged ones what can be read
	below := false
	all := append(slices.Clip(f.All), more.All...)
	for i := range all {
		if all[i].Key == "ibid" {
			f.readOwn(&all[i])
		}
	}
	for i := range all {
		f.take(&all[i], below)
		below = below || all[i].Key == "ibid"
	}
	if !f.legacy && !f.mapping {
		f.foreign = math.MaxInt
	}
	f.chat.Title, f.chat.Model = f.name(), cmp.Or(f.chat.Model, modelName(f.chat.ModelKey))
	return f, err
}

// name is the chat's title. Copilot writes the topic, and only it: where the two
// differ it is the later.
func (f *front) name() string { return cmp.Or(f.topic, f.title) }

// edited is name for a chat that was called known when it was saved.
func (f *front) edited(known string) string {
	if f.title != "" && f.topic == known {
		return f.title
	}
	return f.name()
}

// readOwn reads ibid's own property: the version of the format, or a mapping of that
// and of what else only ibid knows.
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
	f.others += p.Comments()
	for i := range entries {
		e := &entries[i]
		own := c.own()
		known := true
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
			if known = i >= 0; known {
				*own[i].text = e.Text()
			} else {
				f.others += e.Lines()
			}
		}
		if known { // it is written anew, and they below it
			f.others += e.Comments()
		}
	}
}

// take reads one property; below says that it stands below ibid's own.
func (f *front) take(p *properties.Property, below bool) {
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
	case "mode": // of Copilot's agents
		f.mode = p.Text()
	case "tags":
		f.chat.Tags = p.Tags()
	case "notes":
		if below {
			f.links = p.Links()
		}
	}
}
