package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ibid/chains"
	"ibid/chains/reading"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/md"
	"ibid/vault/obsidian"
	"ibid/vault/undo"
)

// Piece selects a part of a chat for a note. The zero value is the last reply.
type Piece struct {
	Message int    // number of a message of the chat, from 1; 0 is the last reply
	Turn    int    // number of a turn, whose reply takes the place of Message, from 1
	Code    int    // number of a fenced code block in it, from 1; 0 is the whole message
	Text    string // text to write in place of the message, unless ""
}

// ProposeNote proposes a new note with a piece. A name without a folder goes where Obsidian creates new notes. For ""
// and a name that ends in a slash NoteName chooses the name.
func (c *Chat) ProposeNote(what Piece, name string) (*chains.Proposal, error) {
	p, err := c.newNotePath(name)
	if err != nil {
		return nil, err
	}
	p = c.desk.opts.Vault.Spelled(p)
	return c.propose("/note", what, p, func(_ string, there bool, text string) (string, error) {
		if there {
			return "", fmt.Errorf("%s is there already: append to it", p)
		}
		return text, nil
	})
}

// ProposeAppend proposes a piece at the end of a note, or of the section or block that the reference names after "#".
func (c *Chat) ProposeAppend(ctx context.Context, what Piece, ref string) (*chains.Proposal, error) {
	p, subpath, err := c.target(ctx, ref)
	if err != nil {
		return nil, err
	}
	return c.propose("/append", what, p, func(before string, there bool, text string) (string, error) {
		if !there {
			return "", fmt.Errorf("%s is gone", p)
		}
		return textBelow(p, before, subpath, text)
	})
}

// proposeInsert proposes a piece after the line at which the editor has its cursor.
func (c *Chat) proposeInsert(what Piece) (*chains.Proposal, error) {
	at := c.desk.State().Active
	if at.Line == 0 {
		return nil, errors.New("no editor has said where: `ibid active NOTE:LINE` tells the line to insert at")
	}
	return c.propose("/insert", what, at.Path, func(before string, there bool, text string) (string, error) {
		last := strings.Count(strings.TrimSuffix(plainText(before), "\n"), "\n") + 1
		if !there || at.Line > last {
			return "", fmt.Errorf("%s has no line %d: `ibid active NOTE:LINE` tells it again", at.Path, at.Line)
		}
		return edit.Insert(before, at.Line, text), nil
	})
}

// proposeDaily proposes a piece at the end of today's note, or of its section with that heading. If the note does not
// exist, it is made according to Obsidian's settings; said is a remark about a guessed folder or the template, or "".
func (c *Chat) proposeDaily(what Piece, heading string) (p *chains.Proposal, said string, err error) {
	now := c.desk.now()
	settings, said, err := c.desk.dailySettings()
	if err != nil {
		return nil, "", err // Obsidian may be writing them: better no note than the wrong one
	}
	path, err := settings.Path(now)
	if err != nil {
		return nil, "", err
	}
	remark := "" // about the template
	p, err = c.propose("/daily", what, path, func(before string, there bool, text string) (string, error) {
		if there {
			return textBelow(path, before, heading, text)
		}
		template, isWithheld, err := c.desk.template(settings.Template)
		if err != nil {
			remark = "the template of daily notes is left out: " + err.Error()
		}
		after, err := textBelow(path, settings.Fill(template, path, now), heading, text)
		if isWithheld && err == nil && !c.desk.isWithheld(path, after) {
			remark = "the template of daily notes is private or excluded, the new note is not: models may read it"
		}
		return after, err
	})
	return p, strings.Trim(said+"\n"+remark, "\n"), err
}

// template returns the text of the note that a setting names, "" for no name, and whether models must not read that.
func (d *Desk) template(name string) (text string, isWithheld bool, err error) {
	p, err := notePath(name)
	if err != nil || p == "" {
		return "", false, err
	}
	data, err := d.opts.Vault.ReadOwn(p)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no %s", p)
	}
	if err != nil {
		return "", false, err
	}
	text, _, err = vault.DecodeFile(data)
	if err != nil {
		return "", false, fmt.Errorf("%s is no text in UTF-8 or UTF-16", p)
	}
	return strings.TrimPrefix(text, "\uFEFF"), d.isWithheld(p, text), nil
}

// isWithheld reports whether a note with this text is not for models: private or excluded.
func (d *Desk) isWithheld(p vault.Path, text string) bool {
	if n, ok := d.opts.Vault.Note(p); ok && n.Private {
		return true
	}
	return d.opts.Vault.Ignored(p) || vault.ParseNote(p, text).Private
}

// propose returns the proposal to put a piece into a file. put gets the content of the file and returns the new
// content.
func (c *Chat) propose(command string, what Piece, p vault.Path,
	put func(before string, there bool, text string) (string, error),
) (*chains.Proposal, error) {
	j := c.desk.opts.Journal
	chat, err := c.session.Chat()
	if err != nil {
		return nil, err
	}
	at, err := what.messageIndex(&chat)
	if err == nil {
		err = j.Check(p, false)
	}
	if err != nil {
		return nil, err
	}
	plan, err := j.Plan(p, c.author(command, turnOf(&chat, at)), func(before string, there bool) (string, error) {
		if !there {
			if err := undo.CheckName(p); err != nil {
				return "", fmt.Errorf("make the note %q: %w", p, err)
			}
		}
		text, err := what.noteText(&chat, at, before)
		if err != nil {
			return "", err
		}
		return put(before, there, text)
	})
	if errors.Is(err, vault.ErrBinary) {
		err = fmt.Errorf("%s is no text in UTF-8 or UTF-16: nothing was written", p)
	}
	if err != nil {
		return nil, err
	}
	return chains.NewProposal(j, plan), nil
}

// author returns the chat as the author of a change in the journal.
func (c *Chat) author(command string, turn int) undo.Author {
	now := c.session.Snapshot()
	return undo.Author{Chat: now.Path, Epoch: now.Epoch, Turn: turn, Tool: command}
}

// messageIndex returns the index of the selected message in the chat.
func (w Piece) messageIndex(chat *history.Chat) (int, error) {
	if w.Turn > chat.Turns() {
		return 0, fmt.Errorf("there are %d turns: %d is none of them", chat.Turns(), w.Turn)
	}
	if w.Turn > 0 {
		w.Message = chat.Through(w.Turn)
	}
	switch n := len(chat.Messages); {
	case w.Text != "" && w.Message == 0:
		return n - 1, nil
	case w.Message < 0 || w.Message > n:
		return 0, fmt.Errorf("the chat has %d messages: %d is none of them", n, w.Message)
	case w.Message > 0:
		return w.Message - 1, nil
	}
	for i, m := range slices.Backward(chat.Messages) {
		if m.Role == history.Assistant {
			return i, nil
		}
	}
	return 0, errors.New("there is no reply yet that could be written")
}

// turnOf returns the number of the turn that a message belongs to.
func turnOf(chat *history.Chat, at int) (turn int) {
	for n, i := range chat.Questions() {
		if i <= at {
			turn = n
		}
	}
	return turn
}

// noteText returns the text of a piece for a note that contains before. Its footnotes get labels that the note does
// not use yet.
func (w Piece) noteText(chat *history.Chat, at int, before string) (string, error) {
	var text string
	switch {
	case w.Text != "":
		text = w.Text
	case w.Code > 0:
		codes := md.CodeBlocks(chat.Messages[at].Text)
		if w.Code > len(codes) {
			return "", fmt.Errorf("the reply has %d closed blocks of code: %d is none of them", len(codes), w.Code)
		}
		text = fenceCode(codes[w.Code-1])
	default:
		text = reading.ForNote(chat, at, before)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1 // useless in a note, and a terminal that shows it may act on it
		}
		return r
	}, text)
	if text = strings.Trim(text, "\n"); strings.TrimSpace(text) == "" {
		return "", errors.New("the reply has no text that could be written")
	}
	return text + "\n", nil
}

// fenceCode returns a code block as it goes into a note: markdown without the fence, other code with it.
func fenceCode(code md.CodeBlock) string {
	switch info, _, _ := strings.Cut(strings.ToLower(code.Info), " "); info {
	case "markdown", "md":
		return code.Text
	}
	fence := "```"
	for strings.Contains(code.Text, fence) {
		fence += "`"
	}
	return fence + code.Info + "\n" + code.Text + fence
}

// NoteName proposes a name for a new note with a reply of this chat, without folder and ending: the topic of the
// chat.
func (c *Chat) NoteName() string {
	chat, err := c.session.Chat()
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(linkReserved, r) {
			return -1
		}
		return r
	}, history.CleanTopic(chat.Name()))
	return strings.Trim(name, " .")
}

// linkReserved lists the characters that a link cannot have in the name of a note, or that some system forbids in
// names.
const linkReserved = `#^[]|\:*?"<>`

// newNotePath returns the path for a new note from what a user typed.
func (c *Chat) newNotePath(typed string) (vault.Path, error) {
	v := c.desk.opts.Vault
	name := strings.TrimPrefix(md.Unlink(strings.Trim(typed, `"`)), "@")
	proposed := name == "" || strings.HasSuffix(name, "/")
	if proposed {
		name += c.NoteName()
	}
	p, err := notePath(name)
	switch {
	case err != nil || p == "":
		return "", fmt.Errorf("%q is no name for a note of this vault", name)
	case strings.ContainsAny(string(p), linkReserved):
		return "", fmt.Errorf("the name of a note has none of %s: %q", linkReserved, string(p))
	case !strings.Contains(name, "/"):
		folder := obsidian.NewNotes(v.FS(), c.desk.State().Active.Path)
		p = vault.Path(path.Join(string(folder), string(p)))
	}
	if proposed {
		first := strings.TrimSuffix(string(p), ".md")
		for n := 2; ; n++ {
			if _, err := v.Stat(p); errors.Is(err, fs.ErrNotExist) {
				break
			}
			p = vault.Path(first + " " + strconv.Itoa(n) + ".md")
		}
	}
	return p, nil
}

// target returns the path of the note that a reference names for writing, and the part after "#". The error is a
// *vault.NameError if there is not exactly one.
func (c *Chat) target(ctx context.Context, ref string) (vault.Path, string, error) {
	if ref == chains.ActiveRef.ID {
		open, _ := c.ActiveNote()
		if open.Path == "" {
			return "", "", errors.New("no note is open")
		}
		return open.Path, "", nil
	}
	name := strings.Trim(strings.TrimPrefix(ref, "@"), `"`)
	v := c.desk.opts.Vault
	if _, err := v.Revalidate(ctx); err != nil {
		return "", "", err
	}
	f, err := vault.FindOne(v, name, vault.ToWrite)
	return f.Path, f.Subpath, err
}

// plainText returns the text of a note in the form in which notes are parsed. Its lines are the same.
func plainText(raw string) string {
	text, _ := vault.Normalize([]byte(raw))
	return text
}

// textBelow returns a text with add at its end, or at the end of the part that subpath names.
func textBelow(p vault.Path, before, subpath, add string) (string, error) {
	subpath = strings.Trim(strings.TrimSpace(subpath), "#")
	if subpath == "" {
		return edit.Append(before, add), nil
	}
	plain := plainText(before)
	t := vault.Text{Note: vault.ParseNote(p, plain), Content: plain}
	_, last, ok := t.Section(subpath)
	if !ok {
		var have []string
		for _, h := range t.Note.Headings {
			have = append(have, h.Text)
		}
		return "", fmt.Errorf("%s has no heading %q; it has %s", p, subpath, briefLine(strings.Join(have, ", ")))
	}
	return edit.Insert(before, last, add), nil
}
