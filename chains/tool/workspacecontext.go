package tool

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault"
)

type contextArgs struct {
	IncludeContent   bool
	MaxContentLength int
	IncludeMetadata  bool
}

// contextJSON describes the workspace of the person.
type contextJSON struct {
	ActiveNote    *noteJSON   `json:"activeNote,omitempty"`
	PinnedNotes   []*noteJSON `json:"pinnedNotes"`
	TemporaryTabs []*noteJSON `json:"temporaryTabs"`
	VaultInfo     struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Path string `json:"path"`
	} `json:"vaultInfo"`
	Summary struct {
		TotalNotes         int    `json:"totalNotes"`
		PinnedCount        int    `json:"pinnedCount"`
		TemporaryTabsCount int    `json:"temporaryTabsCount"`
		LastActivity       string `json:"lastActivity,omitempty"`
	} `json:"summary"`
}

func (o Options) workspaceContext(ctx context.Context, a contextArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	around := o.State(by.Active)
	data := contextJSON{PinnedNotes: []*noteJSON{}, TemporaryTabs: []*noteJSON{}}
	var all []*noteJSON
	var sources []chains.Source
	var paths []string
	add := func(p vault.Path) (j *noteJSON, n *vault.Note) {
		n, ok := o.note(p)
		if !ok || string(p) == by.Chat {
			return nil, nil
		}
		j = o.describe(n, a.IncludeMetadata)
		all, sources, paths = append(all, j), append(sources, chains.Source{Path: j.ID}), append(paths, j.ID)
		return j, n
	}
	if j, n := add(around.Active.Path); j != nil {
		j.LastModified, data.ActiveNote = formatTime(n.ModTime), j
	}
	for _, pin := range around.Pins {
		if j, _ := add(pin.Path); j != nil {
			j.Filename, j.PinnedAt = pin.Path.Name(), formatTime(pin.PinnedAt)
			data.PinnedNotes = append(data.PinnedNotes, j)
		}
	}
	for _, tab := range around.Tabs {
		if j, _ := add(tab.Path); j != nil {
			j.NoteID, j.Source, j.LastAccessed = j.ID, string(tab.Source), formatTime(tab.Used)
			data.TemporaryTabs = append(data.TemporaryTabs, j)
		}
	}
	name := filepath.Base(o.Vault.Dir())
	data.VaultInfo.ID, data.VaultInfo.Name, data.VaultInfo.Path = name, name, name
	for _, n := range o.Vault.Notes() {
		if !n.Private {
			data.Summary.TotalNotes++
		}
	}
	data.Summary.PinnedCount, data.Summary.TemporaryTabsCount, data.Summary.LastActivity = len(data.PinnedNotes),
		len(data.TemporaryTabs), formatTime(around.Updated)
	message := "Workspace context retrieved"
	if a.IncludeContent {
		message += o.contents(by, all, a.MaxContentLength)
	}
	for _, j := range data.TemporaryTabs {
		j.ID = "tab:" + j.NoteID
	}
	text := success(data, message)
	if most := cmp.Or(by.Room, maxNoteRunes); a.IncludeMetadata && utf8.RuneCountInString(text) > most {
		for _, j := range all {
			j.Metadata = nil
		}
		text = success(data, message+"; without metadata, which does not fit")
	}
	out := chains.ToolOutput{Text: text, Note: "no note is open or pinned", Sources: sources}
	if len(paths) > 0 {
		out.Note = summary(paths)
	}
	return out
}

// contents reads notes, each up to its share of the result. said is a remark if that is less than limit. A note that
// cannot be read has no content.
func (o *Options) contents(by chains.Caller, notes []*noteJSON, limit int) (said string) {
	if share := max(roomOf(by)/max(len(notes), 1)-len(notes), 0); share < limit {
		limit, said = max(share, 1), fmt.Sprintf("; each content is cut to %d characters", share)
	}
	for _, j := range notes {
		_ = o.content(by, j, "", limit)
	}
	return said
}
