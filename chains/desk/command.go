package desk

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/undo"
)

// Result is the result of a command, for the screen or for line mode.
type Result struct {
	Text    string                         // for the user; may have several lines
	Table   bool                           // Text is a list or a table in markdown
	Quit    bool                           // end the program
	Opened  bool                           // another chat is current
	Prompt  string                         // text of the turn that was taken back, to be edited
	Turn    iter.Seq2[chains.Event, error] // turn to run, nil for none
	Report  *prompt.Envelope               // request that the next turn would send
	Missing []prompt.MissingRef            // references that the request leaves out
	Naming  *chains.TitleRequest           // request for a title to run, nil for none
	Pull    *Pull                          // model to download, nil for none
	Message *Message                       // message made from a saved prompt, to be sent or edited; nil for none
	Edit    vault.Path                     // file to open in an editor, "" for none
	IsNote  bool                           // Edit is a note, which then counts as open
	Undone  *undo.Entry                    // change of a note that was taken back, nil for none or several
	Changed *undo.ChangedError             // set if a change was not taken back because the note was changed since
	Saved   vault.Path                     // saved chat whose row in a list changed, "" for none
	Gone    bool                           // Saved was open, and another chat is in its place
	Deleted []string                       // messages of Saved, if it was deleted
	// question for a screen to ask in place of Text, also with an error; nil for none
	Ask *Ask
}

// Ask is a question before something is done. Line is the command that does it.
type Ask struct{ Title, About, Does, Line string }

// Command is one slash command. Help, completion and dispatch of the screen and of line mode all use the same list.
type Command struct {
	Name    string
	Aliases []string
	Args    string // arguments, "" if it takes none
	Help    string // one line
	Group   string
	Words   string // other words that people look for
	Names   string // kinds of things that the argument names, for its completion: note, chat, project and others
	alone   bool   // without its argument it does something else
	run     func(ctx context.Context, c *Place, arg string) (Result, error)
	// runs it for a chat that is not open; nil if it cannot
	saved func(d *Desk, p vault.Path, arg string) (Result, error)
}

// Usage returns the command as it is typed, with its arguments.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.Args) }

// commandTexts is the table of the texts of commands: a group in brackets, and below it lines of name and aliases,
// arguments, kinds of things that these name, help, and other words that people look for, with tabs between. A
// question mark after the arguments says that the command does something else without them.
//
//go:embed commands.txt
var commandTexts string

// Commands returns all commands in the order of the help.
func Commands() (all []Command) {
	run := map[string]func(context.Context, *Place, string) (Result, error){
		"add": add, "search": search, "related": related, "query": query, "drop": drop, "pin": pin, "unpin": unpin,
		"active":  setActiveNote,
		"context": showContext, "dump": dump, "requests": requests, "diff": diff, "mute": setMuted(true),
		"unmute": setMuted(false), "refresh": refresh, "forget": forget, "layout": layout, "memory": memory,
		"project": project, "note": note, "append": appendTo, "insert": insert, "daily": daily, "remember": remember,
		"undo-write": undoWrite, "new": newChat, "open": open, "chats": chats, "rename": rename, "title": title,
		"delete": deleteChat, "archive": archive, "export": export, "tag": tag, "branch": branch, "merge": merge,
		"stats": stats, "retry": retry, "edit": editLast, "variants": variants, "compare": compare,
		"undo": undoLast, "redo": redo, "recover": recoverUnsaved,
		"model": model, "provider": providers, "effort": effort, "chain": chain, "tools": tools,
		"policy": policy, "index": indexState, "config": config, "vault": vaults, "help": help, "quit": quit,
	}
	saved := map[string]func(*Desk, vault.Path, string) (Result, error){
		"pin": pinSaved(true), "unpin": pinSaved(false), "rename": renameSaved, "delete": deleteSaved,
		"archive": archiveSaved,
	}
	group := ""
	for line := range strings.Lines(commandTexts) {
		row := append(strings.Split(strings.TrimSpace(line), "\t"), "", "", "", "")
		if strings.HasPrefix(line, "[") {
			group = strings.Trim(row[0], "[]")
			continue
		}
		names := strings.Fields(row[0])
		all = append(all, Command{
			Name: names[0], Aliases: names[1:], Args: strings.TrimSuffix(row[1], "?"), Names: row[2], Help: row[3],
			Words: row[4], Group: group,
			alone: strings.HasSuffix(row[1], "?"), run: run[names[0]], saved: saved[names[0]],
		})
	}
	return all
}

// Choices returns the words that the argument can be, as listed in Args. It returns none if the argument may also
// be a number, or if the words follow something else.
func (c *Command) Choices() []string {
	if strings.HasPrefix(c.Args, "[N") && !strings.HasPrefix(c.Args, "[NAME") || strings.HasSuffix(c.Args, "]]") {
		return nil
	}
	var words []string
	for word := range strings.SplitSeq(strings.Trim(c.Args, "[]"), "|") {
		if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLower(r) }) {
			words = append(words, word)
		}
	}
	return words
}

// IsCommand reports whether a line is a command and not a message: it begins with a slash and a letter. A first
// word such as "/usr/bin" makes it a message.
func IsCommand(line string) bool {
	name, _, ok := parse(line)
	first, _ := utf8.DecodeRuneInString(name)
	return ok && unicode.IsLetter(first) && !strings.Contains(name, "/")
}

// parse splits a line that begins with a slash into its first word, in lower case, and the rest.
func parse(line string) (name, arg string, ok bool) {
	line, ok = strings.CutPrefix(line, "/")
	name, arg = firstWord(line)
	return strings.ToLower(name), arg, ok
}

var errNoCommand = errors.New("is not a command")

// Find returns the command with this name, alias or unique beginning, in any case.
func Find(name string) (Command, error) {
	name = strings.ToLower(name)
	all := Commands()
	var begin []Command
	for _, c := range all {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
		if strings.HasPrefix(c.Name, name) {
			begin = append(begin, c)
		}
	}
	switch len(begin) {
	case 1:
		return begin[0], nil
	case 0:
		return Command{}, fmt.Errorf("/%s %w; /help lists them. Nothing was sent", name, errNoCommand)
	}
	names := make([]string, len(begin))
	for i, c := range begin {
		names[i] = "/" + c.Name
	}
	return Command{}, fmt.Errorf("/%s could be %s. Nothing was sent", name, strings.Join(names, " or "))
}

// Command runs a line that IsCommand accepts. An error is one line for the person; the result then counts only for
// a Message without its text, for Ask. Spans are the parts of the line that were pasted or picked,
// which a saved prompt needs to know.
func (c *Place) Command(ctx context.Context, line string, spans ...chains.Span) (Result, error) {
	name, arg, _ := parse(line)
	at := len(strings.TrimRightFunc(line, unicode.IsSpace)) - len(arg)
	found, p, err := c.Prompts().command(ctx, name)
	switch {
	case err != nil:
		return Result{}, err
	case p.Path != "":
		return c.runPrompt(ctx, p, arg, spansAfter(spans, at))
	case found.Name == "prompt":
		return c.savedPrompt(ctx, arg, spansAfter(spans, at))
	}
	if arg == "" && found.Args != "" && !strings.HasPrefix(found.Args, "[") && !found.alone {
		return Result{}, fmt.Errorf("/%s takes %s: %s", found.Name, found.Args, found.Help)
	}
	return found.run(ctx, c, arg)
}

// CommandFor runs a line for the saved chat at a path, which need not be open. Without a path it runs it for the
// current chat.
func (d *Place) CommandFor(ctx context.Context, path, line string, spans ...chains.Span) (Result, error) {
	name, arg, _ := parse(line)
	c, err := Find(name)
	switch {
	case path == "" || path == d.Session().Snapshot().Path:
		return d.Command(ctx, line, spans...)
	case err == nil && c.saved == nil:
		err = fmt.Errorf("/%s is for a chat that is open", c.Name)
	case err == nil:
		return c.saved(d.Desk, vault.Path(path), arg)
	}
	return Result{}, err
}

func help(_ context.Context, c *Place, arg string) (Result, error) {
	manual := c.opts.Setup.Manual
	if manual == nil {
		manual = func(string) (string, bool) { return "", false }
	}
	page, ok := manual(strings.ToLower(arg))
	switch {
	case ok && arg != "":
		return Result{Text: page, Table: true}, nil
	case arg != "":
		about, err := Find(strings.TrimPrefix(arg, "/"))
		if err != nil {
			return Result{}, err
		}
		return Result{Text: about.Usage() + ": " + about.Help}, nil
	}
	var b strings.Builder
	group := ""
	for _, c := range Commands() {
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		fmt.Fprintf(&b, "  %-28s %s\n", c.Usage(), c.Help)
	}
	b.WriteString(
		"Anything else is a message. @note, [[note]], #tag, @folder/ and @https://… in it attach what they name.")
	if ok {
		b.WriteString("\n/help TOPIC shows a page of the manual: " + page + ".")
	}
	return Result{Text: b.String()}, nil
}

func quit(_ context.Context, _ *Place, _ string) (Result, error) { return Result{Quit: true}, nil }
