package tool

import (
	"context"
	"strings"

	"ibid/chains"
	"ibid/vault"
)

type currentNoteArgs struct {
	IncludeMetadata, IncludeLinks, IncludeOutline bool
	MaxContentLength                              int
}

func (o Options) currentNote(ctx context.Context, a currentNoteArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	n, wrong := o.active(by)
	if wrong != nil {
		return wrong.output()
	}
	room := roomOf(by)
	limit := a.MaxContentLength
	cut := limit == 0 || limit > room
	if cut {
		limit = room
	}
	j := o.describe(n, a.IncludeMetadata)
	if o.content(by, j, "", limit) != nil {
		return goneActive.output()
	}
	if a.IncludeLinks {
		j.Links = o.links(ctx, n)
	}
	if a.IncludeOutline {
		j.Outline = outline(n)
	}
	message := "Current note retrieved"
	if cut && strings.HasSuffix(*j.Content, "]") && strings.Contains(*j.Content, "[Content truncated") {
		message += "; its content is cut to what a result may have: readNote pages through it"
	}
	return o.oneNote(j, message)
}

// goneActive is the answer if the active note no longer exists.
var goneActive = newMistake("Active note not found", "The active note may have been deleted")

// active returns the note that the person has open. A private note and the chat of the caller do not count.
func (o *Options) active(by chains.Caller) (*vault.Note, *mistake) {
	p := o.State(by.Active).Active.Path
	if n, ok := o.Vault.Note(p); p == "" || p == vault.Path(by.Chat) || ok && n.Private || o.Vault.Ignored(p) {
		return nil, newMistake("No note currently active", "Open a note to use this tool")
	}
	if n, ok := o.note(p); ok {
		return n, nil
	}
	return nil, goneActive
}

// oneNote returns the output about one note.
func (o *Options) oneNote(j *noteJSON, message string) chains.ToolOutput {
	source := chains.Source{Path: j.ID, Revision: o.Revision(vault.Path(j.ID))}
	return chains.ToolOutput{
		Text: success(j, message), Note: summary([]string{j.ID}),
		Sources: []chains.Source{source},
	}
}

// roomOf returns how many characters of content fit a result.
func roomOf(by chains.Caller) int {
	const overhead = 1000 // for the other fields of a note
	if by.Room > 0 {
		return max(min(by.Room, maxNoteRunes)-overhead, 100)
	}
	return maxNoteRunes - overhead
}

type referenceArgs struct {
	Reference                       string
	IncludeContent, IncludeMetadata bool
	MaxContentLength                int
}

func (o Options) noteByReference(ctx context.Context, a referenceArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	n, sub, wrong := o.findPart(ctx, a.Reference, vault.ToRead)
	if wrong != nil {
		return wrong.output()
	}
	j := o.describe(n, a.IncludeMetadata)
	if a.IncludeContent {
		wrong = o.content(by, j, sub, min(a.MaxContentLength, roomOf(by)))
	}
	if wrong != nil {
		return wrong.output()
	}
	return o.oneNote(j, "Note retrieved")
}
