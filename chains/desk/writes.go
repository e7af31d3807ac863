package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/md"
	"ibid/vault/undo"
)

func note(ctx context.Context, c *Place, arg string) (Result, error) {
	what, name := parsePiece(arg)
	return c.write(ctx, func() (*chains.Proposal, error) { return c.ProposeNote(what, name) })
}

func appendTo(ctx context.Context, c *Place, arg string) (Result, error) {
	what, ref := parsePiece(arg)
	if ref == "" {
		return Result{}, errors.New("/append takes the note that it is to add to: /append NOTE or /append NOTE#HEADING")
	}
	return c.write(ctx, func() (*chains.Proposal, error) {
		p, err := c.ProposeAppend(ctx, what, ref)
		if vault.IsMissing(err) {
			err = fmt.Errorf("%w; /note makes a new one", err)
		}
		return p, err
	})
}

func insert(ctx context.Context, c *Place, arg string) (Result, error) {
	what, rest := parsePiece(arg)
	if rest != "" {
		return Result{},
			errors.New("/insert takes no note: `ibid active NOTE:LINE` tells where; /append NOTE adds to its end")
	}
	return c.write(ctx, func() (*chains.Proposal, error) { return c.proposeInsert(what) })
}

func daily(ctx context.Context, c *Place, arg string) (Result, error) {
	what, heading := parsePiece(arg)
	if heading != "" && !strings.HasPrefix(heading, "#") {
		return Result{}, errors.New("/daily takes the heading of a section: /daily #HEADING")
	}
	said := ""
	r, err := c.write(ctx, func() (p *chains.Proposal, err error) {
		p, said, err = c.proposeDaily(what, heading)
		return p, err
	})
	if said != "" && err == nil {
		r.Text += "\n" + said
	}
	return r, err
}

// parsePiece parses what to write, such as "turn 3 code 2", from the beginning of an argument, and returns
// the rest. Words without a number are the beginning of a name, except a final "code".
func parsePiece(arg string) (what Piece, rest string) {
	for {
		word, behind := firstWord(arg)
		number, left := firstWord(behind)
		n, _ := strconv.Atoi(number)
		switch word = strings.ToLower(word); {
		case word == "code" && behind == "" && what.Code == 0:
			what.Code = 1
			return what, ""
		case word == "code" && n > 0:
			what.Code = n
		case word == "turn" && n > 0:
			what.Turn = n
		default:
			return what, arg
		}
		arg = left
	}
}

// firstWord splits the first word of a text from the rest. It is "" if the text begins with a space.
func firstWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// agreedTries limits how often a change is proposed anew because another program changes the note all the time.
const agreedTries = 5

// ApplyAgreed proposes a change that the person has agreed to before it was computed, such as a text for the end of a
// note, and makes it. While the note is changed between the two, the change is proposed anew.
func ApplyAgreed(ctx context.Context, propose func() (*chains.Proposal, error)) (*chains.Proposal,
	chains.AppliedProposal, error,
) {
	for try := 1; ; try++ {
		p, err := propose()
		if err != nil {
			return nil, chains.AppliedProposal{}, err
		}
		done, err := p.Apply(ctx, chains.Decision{Yes: true})
		isChanged := errors.Is(err, vault.ErrChanged) || err == nil && done.Again != nil
		switch {
		case !isChanged:
			return p, done, err
		case ctx.Err() != nil:
			return p, done, ctx.Err()
		case try == agreedTries:
			err = fmt.Errorf("write %s: another program changed it %d times at the same moment: nothing was written",
				p.Path, try)
			return p, chains.AppliedProposal{}, err
		}
	}
}

// write makes a change and describes it. The command that the user typed is the consent.
func (c *Chat) write(ctx context.Context, propose func() (*chains.Proposal, error)) (Result, error) {
	r, err := c.makeChange(ctx, propose)
	if errors.Is(err, undo.ErrSame) {
		return Result{Text: "nothing to write: " + err.Error()}, nil
	}
	return r, err
}

// makeChange implements write. The error is undo.ErrSame if nothing would change.
func (c *Chat) makeChange(ctx context.Context, propose func() (*chains.Proposal, error)) (Result, error) {
	p, done, err := ApplyAgreed(ctx, propose)
	if err != nil {
		return Result{}, err
	}
	c.desk.updateNotes(ctx, []vault.Path{vault.Path(p.Path)})
	did := "written: " + p.Path
	if p.New {
		did = "made: " + p.Path
	}
	if done.Undo > 0 {
		did += fmt.Sprintf(" (change %d; /undo-write takes it back)", done.Undo)
	}
	for _, w := range p.Warnings {
		did += "\n" + w
	}
	return Result{Text: p.Diff() + did}, nil
}

// Writes returns the recorded changes of notes, the last one first.
func (d *Desk) Writes() ([]undo.Entry, error) {
	if d.opts.Journal == nil {
		return nil, nil
	}
	return d.opts.Journal.List()
}

// UndoWrite takes back a change of notes, by its number. If a note was changed since, it stays, and the error is an
// *undo.ChangedError, of which ProposeUndo proposes a part. The entry has the notes that were restored.
func (d *Desk) UndoWrite(ctx context.Context, id int) (undo.Entry, error) {
	e, err := d.opts.Journal.Undo(id)
	if e.ID > 0 {
		d.updateNotes(ctx, e.Paths())
	}
	return e, err
}

// ProposeUndo proposes to take back the hunks of a change that are still unchanged in the note.
func (d *Desk) ProposeUndo(changed *undo.ChangedError) *chains.Proposal {
	back, _ := changed.Undo()
	return chains.NewProposal(d.opts.Journal, back)
}

// undoWrite takes changes of notes back, or lists them.
func undoWrite(ctx context.Context, c *Place, arg string) (Result, error) {
	all, err := c.Writes()
	if err != nil {
		return Result{}, err
	}
	words := strings.Fields(strings.ToLower(arg))
	switch {
	case len(words) == 1 && words[0] == "list":
		return Result{Text: listWrites(all)}, nil
	case len(words) == 1 && words[0] == "all":
		return undoAll(ctx, c.Chat, all)
	case len(words) == 0:
		for i := range all {
			if all[i].CanUndo() {
				return c.undoOne(ctx, all[i].ID)
			}
		}
		return Result{}, errors.New("no change of a note is kept that could be taken back")
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || len(words) > 1 {
		return Result{}, fmt.Errorf("/undo-write takes the number of a change, all or list: not %q", arg)
	}
	return c.undoOne(ctx, n)
}

// undoOne takes one change back.
func (d *Desk) undoOne(ctx context.Context, id int) (Result, error) {
	e, err := d.UndoWrite(ctx, id)
	changed, isChanged := errors.AsType[*undo.ChangedError](err)
	switch {
	case e.ID > 0 && (isChanged || err == nil && len(e.More) > 0):
		return Result{Text: describeManyUndone(&e, changed)}, nil
	case isChanged:
		return Result{Text: describeConflict(changed), Changed: changed}, nil
	case errors.Is(err, undo.ErrNothing):
		return Result{}, fmt.Errorf("there is no change %d to take back; /undo-write list shows those that are kept",
			id)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Text: describeUndone(&e), Undone: &e}, nil
}

// describeUndone describes what was taken back.
func describeUndone(e *undo.Entry) string {
	change := e.Change()
	text := change.Unified(string(e.Path), e.New)
	switch {
	case e.Gone:
		text = fmt.Sprintf("taken back: %s is in the trash", e.Path)
	default:
		text += "taken back: " + string(e.Path)
	}
	return text + fmt.Sprintf(" (change %d; /undo-write %d makes it again)", e.Undoes, e.ID)
}

// describeManyUndone describes several notes that were taken back at once, and those that stay because they were
// changed since; changed is nil if there are none.
func describeManyUndone(e *undo.Entry, changed *undo.ChangedError) string {
	text := fmt.Sprintf("taken back: %s: %s", md.Plural(len(e.Paths()), "note"), md.Clip(listPaths(e.Paths()), maxPathList))
	if changed != nil {
		stay := append([]vault.Path{changed.Entry.Path}, changed.Others...)
		text += fmt.Sprintf("; changed since, and left as they are: %s (/undo-write %d shows them)",
			md.Clip(listPaths(stay), maxPathList), e.Undoes)
	}
	return text + fmt.Sprintf(" (change %d; /undo-write %d makes it again)", e.Undoes, e.ID)
}

// maxPathList limits a list of notes in a line, in characters.
const maxPathList = 200

func listPaths(all []vault.Path) string {
	var names []string
	for _, p := range all {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// describeConflict shows a change, and the later changes of the note that prevent taking it back.
func describeConflict(e *undo.ChangedError) string {
	was := e.Entry.Change()
	text := fmt.Sprintf("change %d did this:\n%s", e.Entry.ID, was.Unified(string(e.Entry.Path), e.Entry.New))
	if e.Gone {
		return text + fmt.Sprintf("nothing was taken back: %s is gone", e.Entry.Path)
	}
	since := e.Since()
	return text + fmt.Sprintf("and since then:\n%snothing was taken back: %s was changed since",
		since.Unified(string(e.Entry.Path), false), e.Entry.Path)
}

// undoAll takes back all changes of this chat, the last one first.
func undoAll(ctx context.Context, c *Chat, all []undo.Entry) (Result, error) {
	now := c.session.Snapshot()
	if now.Path == "" {
		return Result{},
			errors.New("this chat is not saved, so what it changed is not known; /undo-write list shows all changes")
	}
	var done, kept []string
	for i := range all {
		e := &all[i]
		if !e.CanUndo() || !e.In(now.Path, now.Epoch) {
			continue
		}
		back, err := c.desk.UndoWrite(ctx, e.ID)
		if err != nil {
			kept = append(kept, fmt.Sprintf("change %d stays: %v", e.ID, err))
		}
		if back.ID > 0 {
			done = append(done, fmt.Sprintf("taken back: change %d of %s", e.ID, describePaths(&back)))
		}
	}
	if len(done)+len(kept) == 0 {
		return Result{}, errors.New("this chat has changed no note; /undo-write list shows the changes that are kept")
	}
	return Result{Text: strings.Join(append(done, kept...), "\n")}, nil
}

// describePaths names the notes of a change: the only one, or the first and the number of the others.
func describePaths(e *undo.Entry) string {
	if n := len(e.More); n > 0 {
		return fmt.Sprintf("%s and %s", e.Path, md.Plural(n, "other note"))
	}
	return string(e.Path)
}

// countLines returns the lines that a change added and removed in all its notes.
func countLines(e *undo.Entry) (added, removed int) {
	for _, w := range e.Writes() {
		change := w.Change()
		more, less := change.Count()
		added, removed = added+more, removed+less
	}
	return added, removed
}

// maxListedWrites limits the list of changes.
const maxListedWrites = 20

// listWrites lists the recorded changes, the last one first.
func listWrites(all []undo.Entry) string {
	var b strings.Builder
	for i := range all[:min(len(all), maxListedWrites)] {
		e := &all[i]
		added, removed := countLines(e)
		fmt.Fprintf(&b, "%4d  %s  %s  +%d −%d", e.ID, e.Time.Format("2006-01-02 15:04"), describePaths(e), added, removed)
		switch {
		case e.Undoes > 0:
			fmt.Fprintf(&b, "  takes back change %d", e.Undoes)
		case e.Undone > 0:
			b.WriteString("  taken back")
		}
		if e.Unsure {
			b.WriteString("  maybe not made")
		}
		if e.Chat != "" {
			fmt.Fprintf(&b, "  %s", e.Chat)
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "no change of a note is kept"
	}
	return b.String() + "/undo-write N takes one back"
}
