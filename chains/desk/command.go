package desk

import (
	"context"
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

// Result is what a command has to show.
type Result struct {
	Text    string                         // for the user, may have several lines
	Table   bool                           // that is a list or a table in markdown
	Choices string                         // beside an error: what could have been meant, with numbers; may have several lines
	Quit    bool                           // end the session
	Opened  bool                           // another conversation is current
	Prompt  string                         // what Undo took back, to be edited
	Turn    iter.Seq2[chains.Event, error] // a turn to run, nil for none
	Report  *prompt.Envelope               // what the next turn would send
	Missing []prompt.MissingRef            // what it would leave out
	Naming  *chains.Naming                 // a title to ask for, nil for none
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
	run     func(ctx context.Context, c *Chat, arg string) (Result, error)
	saved   func(d *Desk, p vault.Path, arg string) (Result, error) // does it to a chat that is not open; nil cannot
}

// Usage is the command as it is typed, with its arguments.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.Args) }

// Commands lists all commands in the order in which help shows them.
func Commands() []Command {
	return []Command{
		{Group: "Context", Name: "add", Aliases: []string{"attach"}, Args: "REF", Names: "note", Help: "attach a note, heading, folder, tag or page to the next turn, or the source of a footnote: ^3", Words: "file attach include reference mention upload folder url web page image images picture", run: add},
		{Group: "Context", Name: "search", Args: "QUERY", Help: "find notes by their text, with operators such as tag: path: task-todo: line:(a b) after:", run: search},
		{Group: "Context", Name: "query", Args: "QUERY", Help: "answer a query of the dataview language over the vault: LIST, TABLE or TASK, as in LIST FROM #tag", Words: "dataview database table list tasks", run: query},
		{Group: "Context", Name: "drop", Args: "REF", Names: "attached", Help: "take something off the next turn", Words: "remove detach unattach delete file", run: drop},
		{Group: "Context", Name: "pin", Args: "REF", Names: "note", Help: "send a note with every turn; alone, keep this chat first in the list", Words: "always sticky favourite favorite star bookmark", alone: true, run: pin, saved: pinSaved(true)},
		{Group: "Context", Name: "unpin", Args: "REF", Names: "pinned", Help: "stop sending it; alone, put this chat back among the others", Words: "unstar", alone: true, run: unpin, saved: pinSaved(false)},
		{Group: "Context", Name: "active", Args: "off|follow|REF", Names: "note", Help: "how the note that is open goes with turns", run: active},
		{Group: "Context", Name: "context", Aliases: []string{"inspect", "tokens"}, Args: "[TEXT]", Help: "what the next turn would send, layer by layer", run: showContext},
		{Group: "Context", Name: "dump", Args: "[TEXT]", Help: "the next request as plain text, byte for byte", Words: "raw request debug export", run: dump},
		{Group: "Context", Name: "requests", Args: "[N]", Help: "the requests sent so far, or the exact text of the N-th", Words: "log trace debug history", run: requests},
		{Group: "Context", Name: "diff", Args: "[N M]", Help: "what changed between two requests; without numbers, the last two", Words: "compare changes", run: diff},
		{Group: "Context", Name: "mute", Args: "REF", Names: "library", Help: "keep a known item in the prompt, but stop referring to it", Words: "hide ignore silence", run: setMuted(true)},
		{Group: "Context", Name: "unmute", Args: "REF", Names: "library", Help: "refer to it again", Words: "show", run: setMuted(false)},
		{Group: "Context", Name: "refresh", Help: "rebuild the library from current notes with the next turn", Words: "reload update reread sync", run: refresh},
		{Group: "Context", Name: "forget", Args: "REF", Names: "library", Help: "withdraw an item from everything that will be sent, and from the chat file", Words: "remove delete evict redact clear", run: forget},
		{Group: "Context", Name: "layout", Args: "[auto|strict|append]", Help: "when items move into the library; alone, what each costs", Words: "cache order prefix", run: layout},
		{Group: "Context", Name: "memory", Args: "[why|reload|use NOTE]", Help: "the memory note as this chat knows it; why tells which chat added what, reload takes it as it is now", Words: "remember facts profile init", run: memory},
		{Group: "Context", Name: "project", Args: "[NAME|off]", Names: "project", Help: "work in a project: its note's instructions, and the notes that it names", Words: "workspace instructions rules folder init system", run: project},
		{Group: "Write", Name: "note", Args: "[code N] [NAME]", Help: "write the last reply, or the N-th block of code in it, into a new note; part N-M takes those of its paragraphs, lists and the like, turn N in front an earlier reply", Words: "save write create export new reply file", run: note},
		{Group: "Write", Name: "append", Args: "[code N] NOTE[#HEADING]", Names: "note", Help: "write it at the end of a note, or of a section of it", Words: "save write add reply", run: appendTo},
		{Group: "Write", Name: "insert", Args: "[code N]", Help: "write it behind the line that ibid active NOTE:LINE told", Words: "cursor save write", run: insert},
		{Group: "Write", Name: "daily", Args: "[code N] [#HEADING]", Help: "write it at the end of today's note, or of a section of it", Words: "journal today diary", run: daily},
		{Group: "Write", Name: "remember", Args: "TEXT", Help: "add it to the memory note, which new chats send to the model", Words: "memory save fact", run: remember},
		{Group: "Write", Name: "undo-write", Args: "[N|N merge|all|list]", Help: "take back the last change of a note, or change N, or all that this chat made", Words: "revert changes restore rollback file", run: undoWrite},
		{Group: "Chat", Name: "new", Aliases: []string{"clear"}, Help: "begin a new chat", run: newChat},
		{Group: "Chat", Name: "open", Args: "[FILE|NOTE]", Names: "chat note", Help: "go on with a saved chat, by name, words of it or number in the last list, or open a note in your editor; alone, the file of this chat", Words: "file note editor load", run: open},
		{Group: "Chat", Name: "chats", Aliases: []string{"sessions", "resume"}, Args: "[TEXT]", Help: "list saved chats, or search them", run: chats},
		{Group: "Chat", Name: "rename", Args: "TITLE", Help: "name the chat and its file", Words: "title name", run: rename, saved: renameSaved},
		{Group: "Chat", Name: "title", Args: "[TITLE]", Help: "ask the model for another title; with one, the same as /rename", Words: "name generate", run: title},
		{Group: "Chat", Name: "delete", Args: "[undo]", Help: "put the chat into the trash; undo brings it back", Words: "remove trash discard", run: deleteChat, saved: deleteSaved},
		{Group: "Chat", Name: "archive", Args: "[off]", Help: "move the chat into the archive, out of the list of chats; off brings it back", Words: "hide put away", run: archive, saved: archiveSaved},
		{Group: "Chat", Name: "export", Args: "[html|md|json|FILE]", Help: "write the chat to a file, as a page of HTML, markdown or JSON; alone, a page of its name in the folder where ibid was started", Words: "share save download print pdf backup", run: export},
		{Group: "Chat", Name: "tag", Args: "[+TAG -TAG]", Names: "tag", Help: "tags of the chat: add, take off; alone, list them", Words: "label category", run: tag},
		{Group: "Chat", Name: "branch", Aliases: []string{"fork"}, Args: "[N]", Help: "go on from message N in a chat of its own", Words: "fork split duplicate copy thread", run: branch},
		{Group: "Chat", Name: "merge", Args: "[yes|undo]", Help: "put a copy that a sync program left of the chat into it", Words: "sync conflict", run: merge},
		{Group: "Chat", Name: "stats", Aliases: []string{"cost"}, Help: "what this chat has cost: tokens, and dollars where they are known", Words: "price usage tokens money spend budget bill", run: stats},
		{Group: "Chat", Name: "retry", Aliases: []string{"regenerate"}, Help: "send the last message again, with current notes", run: retry},
		{Group: "Chat", Name: "edit", Args: "[TEXT]", Help: "take your last message back, to send it in other words; with TEXT, send that in its place", Words: "change resend correct", run: editLast},
		{Group: "Chat", Name: "variants", Args: "[N [TURN]]", Help: "the replies that a turn has; N shows another one and sends nothing, of an earlier turn in a chat of its own", Words: "alternatives versions replies regenerate", run: variants},
		{Group: "Chat", Name: "undo", Help: "take back what was done last: a change, a retry, the last turn, a deleted chat", run: undoLast},
		{Group: "Chat", Name: "redo", Help: "bring back what undo took", run: redo},
		{Group: "Chat", Name: "recover", Args: "[keep|open|drop N]", Help: "replies that were not saved, after a crash or on a full disk", Words: "restore crash lost", run: unsaved},
		{Group: "Model", Name: "model", Args: "[NAME|pull NAME]", Names: "model", Help: "choose a model, or list them; pull has Ollama fetch one, pull stop ends that", run: model},
		{Group: "Model", Name: "provider", Aliases: []string{"providers"}, Help: "the page of the screen where providers are added with their keys, tested and removed", run: providers},
		{Group: "Model", Name: "effort", Args: "[low|medium|high|off]", Help: "how much the model thinks before it answers; alone, how much it does and which levels it has", Words: "thinking reasoning budget level", run: effort},
		{Group: "Model", Name: "chain", Args: "[NAME|next]", Names: "chain", Help: "what a turn sends: chat, vault, plus, agent or project; alone, what each of them sends", Words: "mode agent plan preset", run: chain},
		{Group: "Model", Name: "tools", Args: "[on NAME|off NAME]", Names: "tool", Help: "what a model may look up with, and why not; on and off choose for this chat", Words: "functions permissions mcp plugins skills web search internet", run: tools},
		{Group: "Model", Name: "policy", Args: "[ask|readonly]", Help: "what becomes of changes that the model proposes in this chat", Words: "permissions approve approval yolo auto-accept readonly safety write", run: policy},
		{Group: "Prompts", Name: "prompt", Args: "[NAME [TEXT]]", Names: "prompt", Help: "say what a saved prompt says, about TEXT; new NAME saves your last message as one, edit NAME opens one; alone, list them", run: func(ctx context.Context, c *Chat, arg string) (Result, error) { return c.savedPrompt(ctx, arg, nil) }},
		{Group: "System", Name: "config", Aliases: []string{"settings"}, Args: "[KEY [VALUE|default]]", Help: "list settings with where they are from, or set one: one line of the configuration changes", run: config},
		{Group: "System", Name: "vault", Aliases: []string{"vaults"}, Args: "[FOLDER]", Help: "the vaults that Obsidian knows and those opened lately; the screen opens another one", run: vaults},
		{Group: "System", Name: "help", Args: "[TOPIC|COMMAND]", Names: "command", Help: "a page of the manual, or this list", run: help},
		{Group: "System", Name: "quit", Aliases: []string{"exit", "q"}, Help: "end ibid; the chat is saved", run: quit},
	}
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
func (c *Chat) Command(ctx context.Context, line string, spans ...chains.Span) (Result, error) {
	name, arg, _ := parse(line)
	at := len(strings.TrimRightFunc(line, unicode.IsSpace)) - len(arg)
	found, p, err := c.desk.Prompts().command(ctx, name)
	switch {
	case err != nil:
		return Result{}, err
	case p.Path != "":
		return c.runPrompt(ctx, p, arg, behind(spans, at))
	case found.Name == "prompt":
		return c.savedPrompt(ctx, arg, behind(spans, at))
	}
	if arg == "" && found.Args != "" && !strings.HasPrefix(found.Args, "[") && !found.alone {
		return Result{}, fmt.Errorf("/%s takes %s: %s", found.Name, found.Args, found.Help)
	}
	return found.run(ctx, c, arg)
}

// CommandFor runs a line for the saved chat at a path, which need not be open; for the
// current one if there is no path.
func (d *Desk) CommandFor(ctx context.Context, path, line string, spans ...chains.Span) (Result, error) {
	name, arg, _ := parse(line)
	c, err := Find(name)
	switch {
	case path == "" || path == d.session.Snapshot().Path:
		return d.Command(ctx, line, spans...)
	case err == nil && c.saved == nil:
		err = fmt.Errorf("/%s is for a chat that is open", c.Name)
	case err == nil:
		return c.saved(d, vault.Path(path), arg)
	}
	return Result{}, err
}

func help(ctx context.Context, c *Chat, arg string) (Result, error) {
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
	b.WriteString("Anything else is a message. @note, [[note]], #tag, @folder/ and @https://… in it attach what they name.")
	if ok {
		b.WriteString("\n/help TOPIC shows a page of the manual: " + page + ".")
	}
	return Result{Text: b.String()}, nil
}

func quit(_ context.Context, _ *Chat, _ string) (Result, error) { return Result{Quit: true}, nil }
