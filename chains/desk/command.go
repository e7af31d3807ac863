package desk

import (
	"context"
	_ "embed"
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

// Result goes to the screen, or to the lines, once a command has run.
type Result struct {
	Text  string // for the user, may have several lines
	Table bool   // that is a list or a table in markdown
	// beside an error: what could have been meant, with numbers; may have several lines
	Choices string
	Quit    bool                           // end the session
	Opened  bool                           // another conversation is current
	Prompt  string                         // what Undo took back, to be edited
	Turn    iter.Seq2[chains.Event, error] // a turn to run, nil for none
	Report  *prompt.Envelope               // what the next turn would send
	Missing []prompt.MissingRef            // what it would leave out
	Naming  *chains.TitleRequest           // a title to ask for, nil for none
	Pull    *Pull                          // a model that the server is to fetch, nil for none
	Message *Message                       // what a saved prompt says, to be sent or edited; nil for none
	Edit    vault.Path                     // a file to open in an editor, "" for none
	IsNote  bool                           // that file is a note: it counts as open then
	Undone  *undo.Entry                    // the change that was taken back, nil for none or for many
	Changed *undo.ChangedError             // why one was not: the note was changed since
	Saved   vault.Path                     // where a saved chat is that reads differently now in a list, "" for none
	Gone    bool                           // that chat was open, and another one is in its place
	Deleted []string                       // its messages, if it was deleted
	Ask     *Ask                           // beside an error too: what a screen asks in place of the text, nil for nothing
}

// Ask is a question before something is done: Line is the command that does it.
type Ask struct{ Title, About, Does, Line string }

// Command is one slash command. The list of them is the help, the completion
// and the dispatch of both the screen and line mode.
type Command struct {
	Name    string
	Aliases []string
	Args    string // "" if it takes none
	Help    string // one line
	Group   string
	Words   string // other words that people look for
	Names   string // kinds of what the argument names, for its completion: note, chat, project and the like
	alone   bool   // it does something else without what Args asks for
	run     func(ctx context.Context, c *Place, arg string) (Result, error)
	saved   func(d *Desk, p vault.Path, arg string) (Result, error) // does it to a chat that is not open; nil cannot
}

// Usage is the command as it is typed, with its arguments.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.Args) }

// commandTexts is the table of commands but for what they do: a group in brackets, and
// below it names, arguments, kinds of what these name, help, and other words that people look for,
// with tabs between. An argument with ? may be left out for something else.
//
//go:embed commands.txt
var commandTexts string

// Commands lists all commands in the order in which help shows them.
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
		"undo": undoLast, "redo": redo,
		"recover": recoverUnsaved, "model": model, "provider": providers, "effort": effort, "chain": chain, "tools": tools,
		"policy": policy, "prompt": prompts, "config": config, "vault": vaults, "help": help, "quit": quit,
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

// Choices are the words that the argument can be, as Args lists them; none where it can
// be a number, which is typed, or where they follow something else.
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

// IsCommand reports whether a line is a command and not a message: it begins
// with a slash and a letter. "/usr/bin" as the first word is a message.
func IsCommand(line string) bool {
	name, _, ok := parse(line)
	first, _ := utf8.DecodeRuneInString(name)
	return ok && unicode.IsLetter(first) && !strings.Contains(name, "/")
}

// parse parts a line that begins with a slash into the first word, in lower
// case, and the rest.
func parse(line string) (name, arg string, ok bool) {
	line, ok = strings.CutPrefix(line, "/")
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	return strings.ToLower(line[:end]), strings.TrimSpace(line[end:]), ok
}

// Find finds a command by name, alias or unique beginning, in any case.
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
		return Command{}, fmt.Errorf("/%s is not a command; /help lists them. Nothing was sent", name)
	}
	names := make([]string, len(begin))
	for i, c := range begin {
		names[i] = "/" + c.Name
	}
	return Command{}, fmt.Errorf("/%s could be %s. Nothing was sent", name, strings.Join(names, " or "))
}

// Command runs a line that IsCommand accepts. An error is one line for the
// person; the result means nothing then, but for the message that lacks a text, and
// for the choices and what is to be asked. Spans
// of the line were pasted or picked, for a saved prompt to know.
func (c *Place) Command(ctx context.Context, line string, spans ...chains.Span) (Result, error) {
	name, arg, _ := parse(line)
	at := len(strings.TrimRightFunc(line, unicode.IsSpace)) - len(arg)
	found, p, err := c.desk.Prompts().command(ctx, name)
	switch {
	case err != nil:
		return Result{}, err
	case p.Path != "":
		return c.runPrompt(ctx, p, arg, spansBehind(spans, at))
	case found.Name == "prompt":
		return c.savedPrompt(ctx, arg, spansBehind(spans, at))
	}
	if arg == "" && found.Args != "" && !strings.HasPrefix(found.Args, "[") && !found.alone {
		return Result{}, fmt.Errorf("/%s takes %s: %s", found.Name, found.Args, found.Help)
	}
	return found.run(ctx, c, arg)
}

// CommandFor runs a line for the saved chat at a path, which need not be open; for the
// current one if there is no path.
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

func help(ctx context.Context, c *Place, arg string) (Result, error) {
	manual := c.desk.opts.Setup.Manual
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
		text := about.Usage() + ": " + about.Help
		if about.Name == "tools" {
			list, err := tools(ctx, c, "")
			return Result{Text: text + "\n" + list.Text}, err
		}
		return Result{Text: text}, nil
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
