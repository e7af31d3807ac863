package chains

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
)

// The references of words in a message.
var (
	ActiveRef   = wordRef("@active")   // the note that is open
	PinsRef     = wordRef("@pins")     // the pinned notes
	VaultRef    = wordRef("@vault")    // a search of the vault before the request
	WebRef      = wordRef("@web")      // a search of the web before the request
	ComposerRef = wordRef("@composer") // a reply that writes a note
	MemoryRef   = wordRef("@memory")   // a change of the memory note
)

func wordRef(word string) prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: word} }

// wishes are the words that ask for something and name no note.
var wishes = []prompt.Ref{VaultRef, WebRef, ComposerRef, MemoryRef}

// gatherTurn gathers the input of the engine for one turn. Withdrawn references are left out, even if a folder, a
// pin or the active note contains them.
func (s *Session) gatherTurn(ctx context.Context, conv prompt.Conversation, in Input, refs,
	withdrawn []prompt.Ref,
) (prompt.Turn, []prompt.MissingRef, error) {
	items, missing, err := s.gather(ctx, refs)
	if err != nil {
		return prompt.Turn{}, missing, err
	}
	items = slices.DeleteFunc(items, func(it prompt.Item) bool {
		if it.Kind == prompt.Query && slices.Contains(withdrawn, prompt.NoteRef(it.Path)) {
			return true // withdrawn with its note
		}
		if !slices.Contains(withdrawn, it.Ref) {
			return false
		}
		missing = append(missing, staysForgotten(it.Ref))
		return true
	})
	missing = append(missing, s.images(ctx, items, in.Active)...)
	current, moves, err := s.opts.Gather.Current(ctx, conv.Known())
	if err != nil {
		return prompt.Turn{}, missing, err
	}
	for _, k := range conv.Known() {
		if like := current[k.ID].Like; len(like) > 0 {
			missing = append(missing, prompt.MissingRef{
				Ref: k.Ref, State: "lost", Candidates: like,
				Reason: fmt.Sprintf(
					"%s is not in the vault any more; %s looks like it: attach it to send it as it is now", k.ID,
					strings.Join(like, " or ")),
			})
		}
	}
	t := s.turnOf(prompt.Turn{Settings: s.settings()})
	t.Text = in.Text
	t.Now = s.opts.Now()
	t.Attached = items
	t.Active = in.Active.ID
	t.Current = current
	t.Moves = moves
	t.Cache.Cold = s.cacheExpired()
	return t, missing, nil
}

// settings returns the settings of a request without tools.
func (s *Session) settings() prompt.Settings {
	return prompt.Settings{L1: prompt.SystemText(s.instructions()), Model: s.opts.Cache.At + "/" + s.opts.ModelName}
}

// turnOf returns t with what all turns of the session have.
func (s *Session) turnOf(t prompt.Turn) prompt.Turn {
	t.Layout = s.opts.Layout
	t.Budget = prompt.Budget{Window: s.opts.Window, Reserve: s.opts.Reserve}
	t.Cache = s.opts.Cache.Cache
	t.Vision = s.opts.Vision
	t.Count = s.opts.Count
	if s.opts.Calibrate.Factor != nil {
		t.Budget.Factor = s.opts.Calibrate.Factor()
	}
	if project := s.opts.Instructions.Project; project != nil {
		t.Project = project.Notes
	}
	return t
}

// images reads the images of the active note, if the model takes images. Images of other notes are never sent,
// because the person does not see them.
func (s *Session) images(ctx context.Context, items []prompt.Item, active prompt.Ref) []prompt.MissingRef {
	i := slices.IndexFunc(items, func(it prompt.Item) bool { return it.ID == active.ID && it.HasImages })
	if !s.opts.Vision {
		var missing []prompt.MissingRef
		for j, it := range items {
			if j == i || it.Kind == prompt.Picture {
				missing = append(missing, missingRef(it.Ref, "image", ": images are not sent, since "+
					cmp.Or(s.opts.ModelName, "the model")+" is not known to take them"))
			}
		}
		return missing
	}
	if i < 0 {
		return nil
	}
	var missing []prompt.MissingRef
	items[i].Images, missing = s.opts.Gather.Images(ctx, items[i])
	return missing
}

// turnRefs holds the references of a turn and what its words ask for.
type turnRefs struct {
	refs      []prompt.Ref // in the person's order, each once
	byHand    []prompt.Ref // those that the person chose for this turn
	withdrawn []prompt.Ref // forgotten references that stay so
	missing   []prompt.MissingRef
	wishes    []prompt.Ref // see wishes
}

// wants reports whether the turn asks for something.
func (n *turnRefs) wants(wish prompt.Ref) bool { return slices.Contains(n.wishes, wish) }

// refs returns the references of a turn. Mentions of the active note or the pins are replaced by the notes, which
// may set in.Active.
//
// Only a reference that the person names for this very turn takes back that it was forgotten; a pin, the active
// note or a folder around it does not, and nothing does in a retry: then kept lists what stays forgotten.
//
// While it is not known what is excluded, nothing goes unasked: neither the active note nor pins, which changes in.
func (s *Session) refs(ctx context.Context, in *Input, kept []prompt.Ref) turnRefs {
	mentioned, missing := s.opts.Gather.Mentions(ctx, in.Text, in.Spans...)
	n := turnRefs{missing: missing}
	withheld := s.opts.Gather.Withheld()
	if withheld != nil {
		in.Active = prompt.Ref{}
		in.Pins = nil
	}
	add := func(to *[]prompt.Ref, more ...prompt.Ref) {
		for _, r := range more {
			if r.ID != "" && r.Kind != prompt.Workspace && !slices.Contains(*to, r) {
				*to = append(*to, r)
			}
		}
	}
	for _, r := range append(slices.Clone(in.Attach), mentioned...) {
		switch r {
		case ActiveRef:
			if in.Active.ID == "" {
				in.Active = in.Open
			}
			if in.Active.ID == "" {
				n.missing = append(n.missing, missingWord(r, "no note is open"))
			}
			add(&n.byHand, in.Active)
		case PinsRef:
			if len(in.Pinned) == 0 {
				n.missing = append(n.missing, missingWord(r, "no note is pinned"))
			}
			add(&n.byHand, in.Pinned...)
		case VaultRef:
			if withheld != nil {
				n.missing = append(n.missing, missingWord(r, withheld.Error()))
			}
			n.wishes = append(n.wishes, r)
		case WebRef, ComposerRef, MemoryRef:
			n.wishes = append(n.wishes, r)
		}
		add(&n.byHand, r)
	}
	n.withdrawn = s.stillForgotten(n.byHand, kept)
	add(&n.refs, in.Active)
	add(&n.refs, in.Pins...)
	add(&n.refs, n.byHand...)
	n.refs = slices.DeleteFunc(n.refs, func(r prompt.Ref) bool {
		if !slices.Contains(n.withdrawn, r) {
			return false
		}
		n.missing = append(n.missing, staysForgotten(r))
		return true
	})
	if slices.Contains(n.withdrawn, in.Active) {
		in.Active = prompt.Ref{}
	}
	return n
}

// missingWord returns the reference for a word such as "@web" that has no effect, with the reason.
func missingWord(r prompt.Ref, why string) prompt.MissingRef {
	return missingRef(r, "missing", ": "+why)
}

func staysForgotten(r prompt.Ref) prompt.MissingRef {
	return missingRef(r, "forgotten", " was forgotten in this chat and stays here: attach it by name to send it again")
}

// missingRef returns the reference of something that is not sent. why follows its id in the reason.
func missingRef(r prompt.Ref, state, why string) prompt.MissingRef {
	return prompt.MissingRef{Ref: r, State: state, Reason: r.ID + why}
}

// stillForgotten returns the forgotten references without those that naming byHand brings back. Naming a folder
// that was forgotten as a whole brings back its notes, and naming a note brings back the results of its queries.
func (s *Session) stillForgotten(byHand, kept []prompt.Ref) []prompt.Ref {
	var back []prompt.Ref
	for _, r := range byHand {
		if slices.Contains(s.chat.Forgotten, r) {
			back = append(append(back, r), s.refsWithin(r)...)
		}
		for _, f := range s.chat.Forgotten {
			if f.Kind == prompt.Query && r.Kind == prompt.Note && strings.HasPrefix(f.ID, r.ID+"#") {
				back = append(back, f)
			}
		}
	}
	return withoutRefs(s.chat.Forgotten, withoutRefs(back, kept))
}

// refsWithin returns the members of a folder or a tag.
func (s *Session) refsWithin(r prompt.Ref) []prompt.Ref {
	if !r.Kind.Info().Expands {
		return nil
	}
	return s.opts.Gather.Members(r)
}

func withoutRefs(list, refs []prompt.Ref) []prompt.Ref {
	return slices.DeleteFunc(slices.Clone(list), func(r prompt.Ref) bool { return slices.Contains(refs, r) })
}
