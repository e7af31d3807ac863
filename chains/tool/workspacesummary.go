package tool

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/md"
)

type summaryArgs struct{ MaxChars int }

// lastChanged is the number of the last changed notes that are listed.
const lastChanged = 10

// part is a line of the summary: a heading, and as many elements of a list as fit.
type part struct {
	head string
	list []string
}

// overview caches the summary of all notes until they change.
type overview struct {
	mu    sync.Mutex
	at    uint64 // version of the vault
	head  string // "" before the first summary
	parts []part
}

func (o Options) workspaceSummary(ctx context.Context, a summaryArgs) chains.ToolOutput {
	head, parts := o.overview.currentParts(&o)
	around := o.State(chains.CallerOf(ctx).Active)
	named := func(head string, paths ...vault.Path) {
		p := part{head: head}
		for _, path := range paths {
			if _, ok := o.note(path); ok {
				p.list = append(p.list, string(path))
			}
		}
		if len(p.list) > 0 {
			parts = append([]part{p}, parts...)
		}
	}
	var pins []vault.Path
	for _, p := range around.Pins {
		pins = append(pins, p.Path)
	}
	named("Pinned", pins...)
	named("Active", around.Active.Path)
	return chains.ToolOutput{Text: fitParts(head, parts, a.MaxChars), Note: head}
}

// currentParts returns the overview of the current notes.
func (v *overview) currentParts(o *Options) (head string, parts []part) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if version := o.Vault.Version(); v.head == "" || v.at != version {
		v.at = version
		v.head, v.parts = surveyNotes(o)
	}
	return v.head, slices.Clone(v.parts)
}

// surveyNotes builds the overview.
func surveyNotes(o *Options) (head string, parts []part) {
	folders, types, tags, nowhere := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	tagNames := map[string]string{} // first spelling of each tag, by its name in lower case
	var notes []*vault.Note
	var orphans []string
	chats, links := 0, o.Links()
	for _, n := range o.Vault.Notes() {
		if n.Private {
			continue
		}
		if n.Chat {
			chats++
			continue
		}
		notes = append(notes, n)
		folders[strings.TrimPrefix(string(n.Path.Dir())+"/", ".")]++
		types[typeOf(n)]++
		for _, t := range n.Tags {
			key := strings.ToLower(t)
			tagNames[key] = cmp.Or(tagNames[key], "#"+t)
			tags[tagNames[key]]++
		}
		if to, from := links.Of(n.Path); len(to)+len(from) == 0 {
			orphans = append(orphans, string(n.Path))
		}
		for link := range n.Links() {
			if link.Target != "" && o.Vault.Resolve(link.Target, n.Path).State == vault.Missing &&
				!strings.Contains(link.Target, "://") {
				nowhere[strings.TrimSpace(link.Target)]++
			}
		}
	}
	head = fmt.Sprintf("Vault %s: %s in %s, %s, %s", filepath.Base(o.Vault.Dir()),
		md.Plural(len(notes), "note"), md.Plural(len(folders), "folder"), md.Plural(chats, "saved chat"),
		md.Plural(len(tags), "tag"))
	var last []string
	for _, n := range index.NotesByDate(notes, o.dateNames())[:min(len(notes), lastChanged)] {
		last = append(last, string(n.Note.Path)+" "+n.Date.Local().Format(time.DateOnly))
	}
	for _, p := range []part{
		{head: "Folders", list: mostFrequent(folders)},
		{head: "Tags", list: mostFrequent(tags)},
		{head: "Types", list: mostFrequent(types)},
		{head: "Changed last", list: last},
		{head: "Orphans, without a link", list: orphans},
		{head: "Links that lead nowhere", list: mostFrequent(nowhere)},
	} {
		if len(p.list) > 0 {
			parts = append(parts, p)
		}
	}
	return head, parts
}

// mostFrequent returns names with their counts, the most frequent first.
func mostFrequent(counts map[string]int) []string {
	names := index.MostFrequent(counts)
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", md.Clip(n, maxRemark), counts[n])
	}
	return names
}

// fitParts formats head and the parts in at most room characters. It shows the same number of elements of each part,
// the largest that fits.
func fitParts(head string, parts []part, room int) string {
	fitting := head
	for n := 0; ; n++ {
		text, whole := head, true
		for _, p := range parts {
			shown := min(n, len(p.list))
			text += "\n" + p.head + ": " + strings.Join(p.list[:shown], ", ")
			if shown < len(p.list) {
				text += fmt.Sprintf(" … (%d of %d)", shown, len(p.list))
				whole = false
			}
		}
		if utf8.RuneCountInString(text) > room {
			return fitting
		}
		if fitting = text; whole {
			return fitting
		}
	}
}
