package plain

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
)

// Result is what a command has to show.
type Result struct {
	Text    string                         // for the person, may have several lines
	Quit    bool                           // end the session
	Opened  bool                           // another conversation is on the desk
	Prompt  string                         // what Undo took back, to be edited
	Turn    iter.Seq2[chains.Event, error] // a turn to run, nil for none
	Report  *prompt.Envelope               // what the next turn would send
	Missing []prompt.Missing               // what it would leave out
}

// Command is one slash command. The list of them is the help, the completion
// and the dispatch of both the screen and line mode.
type Command struct {
	Name    string
	Aliases []string
	Args    string // "" if it takes none
	Help    string // one line
	Group   string
	run     func(d *Desk, ctx context.Context, arg string) (Result, error)
}

// Commands lists all commands in the order in which help shows them.
func Commands() []Command {
	return []Command{
		{Group: "Context", Name: "add", Aliases: []string{"attach"}, Args: "REF", Help: "attach a note, heading, folder, tag or page to the next turn", run: add},
		{Group: "Context", Name: "drop", Args: "REF", Help: "take something off the next turn", run: drop},
		{Group: "Context", Name: "pin", Args: "REF", Help: "send a note with every turn", run: pin},
		{Group: "Context", Name: "unpin", Args: "REF", Help: "stop sending it", run: unpin},
		{Group: "Context", Name: "active", Args: "off|follow|REF", Help: "how the note that is open goes with turns", run: active},
		{Group: "Context", Name: "context", Aliases: []string{"inspect", "tokens"}, Args: "[TEXT]", Help: "what the next turn would send, layer by layer", run: showContext},
		{Group: "Context", Name: "dump", Args: "[TEXT]", Help: "the next request as plain text, byte for byte", run: dump},
		{Group: "Context", Name: "requests", Args: "[N]", Help: "the requests sent so far, or the exact text of the N-th", run: requests},
		{Group: "Context", Name: "diff", Args: "[N M]", Help: "what changed between two requests; without numbers, the last two", run: diff},
		{Group: "Context", Name: "mute", Args: "REF", Help: "keep a known item in the prompt, but stop referring to it", run: mute},
		{Group: "Context", Name: "unmute", Args: "REF", Help: "refer to it again", run: unmute},
		{Group: "Context", Name: "refresh", Help: "rebuild the library from current notes with the next turn", run: refresh},
		{Group: "Context", Name: "forget", Args: "REF", Help: "withdraw an item from everything that will be sent, and from the chat file", run: forget},
		{Group: "Context", Name: "layout", Args: "auto|strict|append", Help: "when items move into the library", run: layout},
		{Group: "Context", Name: "memory", Args: "[reload]", Help: "the memory note as this chat knows it; reload takes it as it is now", run: memory},
		{Group: "Context", Name: "project", Args: "[FOLDER|off]", Help: "work in a project: its note's instructions and context come first", run: project},
		{Group: "Chat", Name: "new", Aliases: []string{"clear"}, Help: "begin a new chat", run: newChat},
		{Group: "Chat", Name: "open", Args: "FILE", Help: "go on with a saved chat", run: open},
		{Group: "Chat", Name: "chats", Aliases: []string{"sessions", "resume"}, Args: "[TEXT]", Help: "list saved chats, or search them", run: chats},
		{Group: "Chat", Name: "rename", Aliases: []string{"title"}, Args: "TITLE", Help: "name the chat and its file", run: rename},
		{Group: "Chat", Name: "branch", Aliases: []string{"fork"}, Args: "[N]", Help: "go on from message N in a chat of its own", run: branch},
		{Group: "Chat", Name: "retry", Aliases: []string{"regenerate"}, Help: "send the last message again, with current notes", run: retry},
		{Group: "Chat", Name: "undo", Help: "take the last turn back", run: undo},
		{Group: "Chat", Name: "redo", Help: "bring back what undo took", run: redo},
		{Group: "Model", Name: "model", Args: "[NAME]", Help: "choose a model, or list them", run: model},
		{Group: "Model", Name: "chain", Args: "chat", Help: "how a turn is run; there is one way so far", run: chain},
		{Group: "System", Name: "help", Args: "[COMMAND]", Help: "this list", run: help},
		{Group: "System", Name: "quit", Aliases: []string{"exit", "q"}, Help: "end ibid; the chat is saved", run: quit},
	}
}

// IsCommand reports whether a line is a command and not a message: it begins
// with a slash and a letter. "/usr/bin" as the first word is a message.
func IsCommand(line string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	return strings.HasPrefix(line, "/") && name != "" && !strings.Contains(name, "/") && name[0] >= 'a' && name[0] <= 'z'
}

// Find finds a command by name, alias or unique beginning.
func Find(name string) (Command, error) {
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

// Command runs a line that IsCommand accepts. An error is one line for the person.
func (d *Desk) Command(ctx context.Context, line string) (Result, error) {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	c, err := Find(name)
	if err != nil {
		return Result{}, err
	}
	arg = strings.TrimSpace(arg)
	if arg == "" && c.Args != "" && !strings.HasPrefix(c.Args, "[") {
		return Result{}, fmt.Errorf("/%s takes %s: %s", c.Name, c.Args, c.Help)
	}
	return c.run(d, ctx, arg)
}

// refs reads a reference for a command.
func (d *Desk) refs(ctx context.Context, arg string) ([]prompt.Ref, error) {
	refs, missing := d.opts.Gather.Reference(ctx, arg)
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s", missing[0].Reason)
	}
	return refs, nil
}

func add(d *Desk, ctx context.Context, arg string) (Result, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	d.Attach(refs...)
	return Result{Text: "attached: " + ids(refs)}, nil
}

func drop(d *Desk, ctx context.Context, arg string) (Result, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	for _, r := range refs {
		if !d.Drop(r) {
			return Result{}, fmt.Errorf("%s is not attached", r.ID)
		}
	}
	return Result{Text: "dropped: " + ids(refs)}, nil
}

// notes reads a reference that must be one note.
func (d *Desk) note(ctx context.Context, arg string) (vault.Path, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		return "", err
	}
	if len(refs) == 1 && refs[0] == chains.ActiveRef() && d.around.Active.Path != "" {
		return d.around.Active.Path, nil
	}
	if len(refs) != 1 || refs[0].Kind != prompt.Note {
		return "", fmt.Errorf("%s is not a note", arg)
	}
	return vault.Path(refs[0].ID), nil
}

func pin(d *Desk, ctx context.Context, arg string) (Result, error) {
	p, err := d.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if err := vault.AddPin(d.opts.Vault.Dir(), p, d.now()); err != nil {
		return Result{}, err
	}
	return Result{Text: "pinned: " + string(p)}, d.look()
}

func unpin(d *Desk, ctx context.Context, arg string) (Result, error) {
	p, err := d.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if err := vault.RemovePin(d.opts.Vault.Dir(), p); err != nil {
		return Result{}, err
	}
	if err := d.look(); err != nil {
		return Result{}, err
	}
	for _, other := range d.around.Pins {
		if other.Path == p {
			return Result{Text: string(p) + " is still pinned in Obsidian: unpin its tab there, or /mute it here"}, nil
		}
	}
	return Result{Text: "unpinned: " + string(p)}, nil
}

// look looks around at once.
func (d *Desk) look() error {
	a, err := d.Look(d.now())
	if err == nil {
		d.SetAround(a)
	}
	return err
}

func active(d *Desk, ctx context.Context, arg string) (Result, error) {
	if arg == Off || arg == Follow {
		return Result{Text: "active note: " + arg}, d.SetActive(arg)
	}
	p, err := d.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: "active note: " + string(p)}, d.SetActive(string(p))
}

func showContext(d *Desk, ctx context.Context, arg string) (Result, error) {
	env, missing, err := d.session.Preview(ctx, d.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Report: &env, Missing: missing, Text: Describe(env, missing)}, nil
}

func dump(d *Desk, ctx context.Context, arg string) (Result, error) {
	env, _, err := d.session.Preview(ctx, d.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requests(d *Desk, _ context.Context, arg string) (Result, error) {
	sent, err := d.session.Requests()
	if err != nil {
		return Result{}, err
	}
	if arg == "" {
		var b strings.Builder
		for i, env := range sent {
			fmt.Fprintf(&b, "%3d  turn %d  about %d tokens, %d cached  epoch %d (%s)\n", i+1, env.Turn, env.Predicted.Prompt, env.Predicted.Cached, env.Epoch.N, env.Epoch.Cause)
		}
		if b.Len() == 0 {
			return Result{Text: "nothing was sent yet"}, nil
		}
		return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
	}
	env, err := requestAt(sent, arg)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requestAt(sent []prompt.Envelope, arg string) (prompt.Envelope, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(sent) {
		return prompt.Envelope{}, fmt.Errorf("%q is not a request: there are %d so far", arg, len(sent))
	}
	return sent[n-1], nil
}

func diff(d *Desk, _ context.Context, arg string) (Result, error) {
	sent, err := d.session.Requests()
	if err != nil {
		return Result{}, err
	}
	words := strings.Fields(arg)
	if len(words) == 0 && len(sent) > 1 {
		words = []string{strconv.Itoa(len(sent) - 1), strconv.Itoa(len(sent))}
	}
	if len(words) != 2 {
		return Result{}, fmt.Errorf("/diff takes the numbers of two requests; there are %d so far", len(sent))
	}
	a, err := requestAt(sent, words[0])
	if err != nil {
		return Result{}, err
	}
	b, err := requestAt(sent, words[1])
	if err != nil {
		return Result{}, err
	}
	text := prompt.DiffRequests(a, b, "request "+words[0], "request "+words[1])
	if text == "" {
		text = "the same, byte for byte"
	}
	return Result{Text: text}, nil
}

func mute(d *Desk, ctx context.Context, arg string) (Result, error) {
	return d.setMuted(ctx, arg, true)
}

func unmute(d *Desk, ctx context.Context, arg string) (Result, error) {
	return d.setMuted(ctx, arg, false)
}

func (d *Desk) setMuted(ctx context.Context, arg string, muted bool) (Result, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if muted {
		return d.change(ctx, chains.Change{Mute: refs}, "muted: "+ids(refs))
	}
	return d.change(ctx, chains.Change{Unmute: refs}, "no longer muted: "+ids(refs))
}

// change makes a change and says what it will cost: nothing is paid before the
// next turn, and /undo takes it back until then.
func (d *Desk) change(ctx context.Context, c chains.Change, done string) (Result, error) {
	now, then, err := d.session.Price(ctx, d.Input(""), c)
	if err != nil {
		return Result{}, err
	}
	if _, err := d.session.Apply(c); err != nil {
		return Result{}, err
	}
	return Result{Text: done + "; " + chains.Cost(now, then) + " (/undo takes it back)"}, nil
}

func refresh(d *Desk, ctx context.Context, _ string) (Result, error) {
	return d.change(ctx, chains.Change{Refresh: true}, "the next turn rebuilds the library from current notes")
}

func forget(d *Desk, ctx context.Context, arg string) (Result, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		// A note that is gone can be forgotten all the same.
		refs = []prompt.Ref{{Kind: prompt.Note, ID: strings.TrimPrefix(arg, "@")}}
	}
	for _, r := range refs {
		d.Drop(r)
	}
	return d.change(ctx, chains.Change{Forget: refs}, "forgotten: "+ids(refs))
}

func layout(d *Desk, ctx context.Context, arg string) (Result, error) {
	switch l := prompt.Layout(arg); l {
	case prompt.Auto, prompt.Strict, prompt.Append:
		r, err := d.change(ctx, chains.Change{Layout: l}, "layout: "+arg)
		if err == nil {
			d.opts.Session.Layout = l
		}
		return r, err
	}
	return Result{}, fmt.Errorf("%q is not a layout: auto, strict or append", arg)
}

func memory(d *Desk, ctx context.Context, arg string) (Result, error) {
	now := d.session.Options().Instructions
	switch arg {
	case "":
		if now.Memory == "" {
			return Result{Text: "this chat has no memory: set memory in the configuration to the name of a note"}, nil
		}
		sum := prompt.NewItem(prompt.Ref{}, "", "", now.Memory).Revision
		return Result{Text: fmt.Sprintf("memory: %d bytes, %s, read %s\n\n%s", len(now.Memory), sum.Short(), d.read.Format("2006-01-02 15:04"), now.Memory)}, nil
	case "reload":
		return d.reinstruct(ctx, "memory: read again")
	}
	return Result{}, fmt.Errorf("/memory takes reload or nothing")
}

func project(d *Desk, ctx context.Context, arg string) (Result, error) {
	switch arg {
	case "":
		if d.opts.Project == "" {
			return Result{Text: "no project; /project FOLDER works in one"}, nil
		}
		return Result{Text: "project: " + d.opts.Project}, nil
	case "off":
		d.opts.Project = ""
		return d.reinstruct(ctx, "no project")
	}
	was := d.opts.Project
	d.opts.Project = arg
	r, err := d.reinstruct(ctx, "project: "+arg)
	if err != nil {
		d.opts.Project = was
	}
	return r, err
}

// reinstruct reads the instructions again and gives them to the conversation.
func (d *Desk) reinstruct(ctx context.Context, done string) (Result, error) {
	if d.opts.Instructions == nil {
		return Result{}, fmt.Errorf("there are no instructions to read here")
	}
	was := d.opts.Session.Instructions
	if notices := d.instruct(ctx); len(notices) > 0 {
		d.opts.Session.Instructions = was
		return Result{}, fmt.Errorf("%s", notices[0].Text)
	}
	in := d.opts.Session.Instructions
	return d.change(ctx, chains.Change{Instructions: &in}, done)
}

func newChat(d *Desk, ctx context.Context, _ string) (Result, error) {
	d.Instruct(ctx)
	return Result{Text: "a new chat", Opened: true}, nil
}

func open(d *Desk, ctx context.Context, arg string) (Result, error) {
	if err := d.Open(ctx, arg); err != nil {
		return Result{}, err
	}
	return Result{Text: "opened: " + d.session.Snapshot().Path, Opened: true}, nil
}

func chats(d *Desk, ctx context.Context, arg string) (Result, error) {
	if d.opts.Store == nil {
		return Result{Text: "chats are not kept in this session (--no-save)"}, nil
	}
	list, err := d.opts.Store.List(ctx)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for _, c := range list {
		if arg == "" || strings.Contains(strings.ToLower(c.Title), strings.ToLower(arg)) {
			fmt.Fprintf(&b, "%s  %s  %s\n", c.Modified.Format("2006-01-02 15:04"), c.Title, c.Path)
		}
	}
	if b.Len() == 0 {
		return Result{Text: "no saved chats yet in " + string(d.opts.Store.Folder()) + "/"}, nil
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

func rename(d *Desk, _ context.Context, arg string) (Result, error) {
	err := d.Rename(arg)
	return Result{Text: "the chat is called " + strconv.Quote(arg)}, err
}

func branch(d *Desk, ctx context.Context, arg string) (Result, error) {
	n := 0
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return Result{}, fmt.Errorf("/branch takes the number of a message, not %q", arg)
		}
	}
	if err := d.Branch(ctx, n); err != nil {
		return Result{}, err
	}
	return Result{Text: "branched: " + d.session.Snapshot().Path, Opened: true}, nil
}

func retry(d *Desk, ctx context.Context, _ string) (Result, error) {
	return Result{Turn: d.session.Retry(ctx)}, nil
}

func undo(d *Desk, ctx context.Context, _ string) (Result, error) {
	u, _, err := d.session.Undo(ctx)
	if err != nil {
		return Result{}, err
	}
	if u.Change != "" {
		return Result{Text: "taken back: " + u.Change}, nil
	}
	d.Attach(u.Turn.Attach...)
	return Result{Text: "taken back: " + u.Turn.Text, Prompt: u.Turn.Text, Opened: true}, nil
}

func redo(d *Desk, _ context.Context, _ string) (Result, error) {
	_, err := d.session.Redo()
	return Result{Text: "brought back", Opened: true}, err
}

func model(d *Desk, ctx context.Context, arg string) (Result, error) {
	if arg == "" {
		if d.opts.Models == nil {
			return Result{Text: "the offline model answers; `ibid doctor` says how to connect one"}, nil
		}
		names, err := d.opts.Models(ctx)
		return Result{Text: strings.Join(names, "\n")}, err
	}
	if d.opts.Model == nil {
		return Result{}, fmt.Errorf("no server is connected, so there is no model to choose; `ibid doctor` says how to connect one")
	}
	o, err := d.opts.Model(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	r, err := d.change(ctx, chains.Change{Model: &o}, "model: "+arg)
	if err == nil {
		d.opts.Session = d.session.Options()
	}
	return r, err
}

func chain(_ *Desk, _ context.Context, arg string) (Result, error) {
	if arg == "chat" {
		return Result{Text: "chain: chat"}, nil
	}
	return Result{}, fmt.Errorf("%q is not a chain: there is one so far, chat", arg)
}

func help(_ *Desk, _ context.Context, arg string) (Result, error) {
	if arg != "" {
		c, err := Find(strings.TrimPrefix(arg, "/"))
		if err != nil {
			return Result{}, err
		}
		return Result{Text: strings.TrimSpace("/"+c.Name+" "+c.Args) + ": " + c.Help}, nil
	}
	var b strings.Builder
	group := ""
	for _, c := range Commands() {
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		fmt.Fprintf(&b, "  %-28s %s\n", strings.TrimSpace("/"+c.Name+" "+c.Args), c.Help)
	}
	b.WriteString("Anything else is a message. @note, [[note]], #tag, @folder/ and @https://… in it attach what they name.")
	return Result{Text: b.String()}, nil
}

func quit(_ *Desk, _ context.Context, _ string) (Result, error) { return Result{Quit: true}, nil }

func ids(refs []prompt.Ref) string {
	names := make([]string, len(refs))
	for i, r := range refs {
		names[i] = r.ID
	}
	return strings.Join(names, ", ")
}
