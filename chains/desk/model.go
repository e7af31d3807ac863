package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/tokens"
)

// Pull is a download of a model, made by the server in Run. Cancelling its context stops it; another pull continues
// where it stopped.
type Pull struct {
	Name string // "" means to stop the running pull
	Run  func(ctx context.Context) iter.Seq2[chains.Progress, error]
}

// Pulled returns the message after a successful pull.
func (p Pull) Pulled() string { return p.Name + " is pulled; /model " + p.Name + " answers with it" }

// providers returns the command that configures providers. The screen has a page for that.
func providers(context.Context, *Place, string) (Result, error) {
	return Result{Text: "`ibid provider` lists the providers; `ibid provider add NAME` adds one, and tests its key"}, nil
}

// vaults returns the command that opens another vault. The screen has a page for that.
func vaults(context.Context, *Place, string) (Result, error) {
	return Result{Text: "start ibid with a folder to open it: ibid ~/notes"}, nil
}

// config shows and changes settings. The screen has a page for that.
func config(ctx context.Context, c *Place, arg string) (Result, error) {
	text, err := c.opts.Setup.Config(ctx, arg)
	return Result{Text: text}, err
}

// pull returns the pull for the words after "/model pull".
func (d *Desk) pull(name string) (Result, error) {
	from := d.opts.Servers.Pull
	switch {
	case from == nil:
		return Result{}, fmt.Errorf("no Ollama is connected: only that pulls models")
	case name == "" || strings.ContainsAny(name, " \t"):
		return Result{}, fmt.Errorf("/model pull takes the name of one model, such as qwen3:8b")
	case name == "stop":
		return Result{Pull: &Pull{}}, nil
	}
	return Result{Pull: &Pull{Name: name, Run: func(ctx context.Context) iter.Seq2[chains.Progress, error] {
		return from(ctx, name)
	}}}, nil
}

func model(ctx context.Context, c *Place, arg string) (Result, error) {
	if word, name := firstWord(arg); word == "pull" {
		return c.pull(name)
	}
	if arg == "" {
		return c.offers(ctx)
	}
	if c.opts.Model == nil {
		return Result{},
			errors.New("no server is connected, so there is no model to choose; `ibid doctor` says how to connect one")
	}
	o, err := c.opts.Model(ctx, c.session.Options().Cache.At, arg)
	if err != nil {
		return Result{}, err
	}
	r, err := c.change(ctx, chains.Change{Model: &o}, "model: "+arg)
	if err == nil {
		answerLater(c.Desk, &o)
	}
	return r, err
}

// answerLater sets the model of later chats, with the options that depend on it.
func answerLater(d *Desk, o *chains.Options) {
	d.changeLaterChats(func(s *chains.Options) { *s = s.WithModel(o) })
}

// changeLaterChats changes the options of later chats.
func (d *Desk) changeLaterChats(change func(*chains.Options)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.opts.Session)
}

// AdoptModel replaces the model was, with which the desk was made, by one that was found since: in all open chats
// and in later ones, except those that use another model.
func (d *Desk) AdoptModel(was chains.Model, found *chains.Options) {
	d.changeLaterChats(func(s *chains.Options) {
		if s.Model == was {
			*s = s.WithModel(found)
		}
	})
	for _, open := range d.Chats() {
		chains.AdoptModel(open.Session(), was, found)
	}
}

// noModels says that there is no model to choose.
const noModels = "the offline model answers; `ibid doctor` says how to connect one"

// offers lists the models that can be chosen, those of the current provider first, and the providers that list
// none.
func (d *Desk) offers(ctx context.Context) (Result, error) {
	if d.opts.Servers.Offers == nil {
		return Result{Text: noModels}, nil
	}
	all := slices.SortedFunc(d.opts.Servers.Offers(ctx), chains.CurrentFirst)
	var lines []string
	for _, o := range all {
		if lines = append(lines, o.Names()...); o.Err != nil {
			lines = append(lines, "("+o.Provider+": "+o.Err.Error()+")")
		}
	}
	switch {
	case len(all) == 1 && all[0].Err != nil:
		return Result{}, all[0].Err
	case len(lines) == 0:
		lines = []string{noModels}
	}
	return Result{Text: strings.Join(lines, "\n")}, ctx.Err()
}

// effort shows the level of reasoning, or changes it.
func effort(ctx context.Context, c *Place, arg string) (Result, error) {
	if c.opts.Effort == nil {
		return Result{}, fmt.Errorf("the offline model does not think")
	}
	level, at, model := strings.ToLower(arg), c.session.Options().Cache.At, c.session.Snapshot().Model
	is, err := c.opts.Effort(at, model, "")
	if err != nil {
		return Result{}, err
	}
	can := "it can be " + strings.Join(is.Levels, ", ")
	switch {
	case level == "":
		return Result{Text: "effort: " + cmp.Or(is.Now, "as the provider has it") + "; " + can}, nil
	case level == tokens.EffortOff && !slices.Contains(is.Levels, level):
		return Result{}, fmt.Errorf("%s always thinks; %s", model, can)
	case !slices.Contains(is.Levels, level):
		return Result{}, fmt.Errorf("effort %q: %s", arg, can)
	}
	if is, err = c.opts.Effort(at, model, level); err != nil {
		return Result{}, err
	}
	r, err := c.change(ctx, chains.Change{Model: &is.Options}, "effort: "+is.Now)
	if err == nil {
		answerLater(c.Desk, &is.Options)
	}
	return r, err
}

func chain(ctx context.Context, c *Place, arg string) (Result, error) {
	all, now := chains.Chains(), c.session.Snapshot().Chain
	at := slices.IndexFunc(all, func(o chains.Choice) bool { return o.Name() == now })
	switch {
	case arg == "":
		return listChains(all, at), nil
	case strings.EqualFold(arg, "next"):
		if at = (at + 1) % len(all); all[at].Chain == (chains.Project{}) && c.project == "" {
			at = (at + 1) % len(all)
		}
	default:
		at = slices.IndexFunc(all, func(o chains.Choice) bool { return strings.EqualFold(o.Name(), arg) })
	}
	if at < 0 {
		return Result{}, fmt.Errorf("%q is not a chain; /chain lists them", arg)
	}
	if err := c.checkChain(all[at].Chain); err != nil {
		return Result{}, err
	}
	r, err := c.change(ctx, chains.Change{Chain: all[at].Chain}, "chain "+all[at].Name()+": "+all[at].Sends)
	if err == nil {
		c.changeLaterChats(func(o *chains.Options) { o.Chain = all[at].Chain })
	}
	return r, err
}

// listChains lists the chains. The one at index at is marked as current.
func listChains(all []chains.Choice, at int) Result {
	var b strings.Builder
	for i, o := range all {
		fmt.Fprintf(&b, "%s %-7s %s\n", markOf(i == at), o.Name(), o.Sends)
	}
	return Result{Text: b.String() +
		"/chain NAME takes another for this chat; @vault in a message searches for that one alone"}
}

// markOf returns the mark in front of a row of a list, for the one that is chosen or counts.
func markOf(chosen bool) string {
	if chosen {
		return "*"
	}
	return " "
}

// checkChain returns why a chain cannot answer here, nil if it can.
func (c *Chat) checkChain(chain chains.Chain) error {
	if chain == (chains.Project{}) && c.project == "" {
		return errors.New("the chain project is for a chat that works in a project: /project NAME chooses one")
	}
	return nil
}

// SetChain sets the chain of the chat.
func (c *Chat) SetChain(chain chains.Chain) error {
	if err := c.checkChain(chain); err != nil || c.session.Snapshot().Chain == chain.Name() {
		return err
	}
	return c.session.Apply(chains.Change{Chain: chain, Done: "chain " + chain.Name()})
}

// chainOf returns the chain for a saved chat, the given one if the file names none that exists, and a notice about
// it.
func chainOf(saved string, now chains.Chain) (chain chains.Chain, notice string) {
	known, name := chains.ChainNamed(saved), chains.Chat{}.Name()
	if now != nil {
		name = now.Name()
	}
	switch {
	case known != nil:
		return known, ""
	case saved != "":
		return now, fmt.Sprintf("this chat was answered by the chain %s, which is not here: it goes on with %s",
			saved, name)
	case name == (chains.Chat{}).Name():
		return now, ""
	}
	return now, fmt.Sprintf(
		"this chat goes on with the chain %s, which may look things up in the vault; /chain chat does without", name)
}
