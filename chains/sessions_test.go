package chains_test

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/reading"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestSessions plays the conversations of testdata/sessions.txt, which explains them.
func TestSessions(t *testing.T) {
	t.Parallel()
	for _, block := range strings.Split(string(value(os.ReadFile("testdata/sessions.txt"))(t)), "\n=== ")[1:] {
		name, text, _ := strings.Cut(block, "\n")
		script, notes, _ := strings.Cut("\n"+text, "\n-- ")
		var lines []string
		for line := range strings.Lines(script) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		t.Run(name, func(t *testing.T) { playLines(t, lines, "\n-- "+notes) })
	}
}

// playLines plays a conversation, once for each of a line's alternatives.
func playLines(t *testing.T, lines []string, notes string) {
	t.Parallel()
	for i, line := range lines {
		if all, ok := strings.CutPrefix(line, "either "); ok {
			for one := range strings.SplitSeq(all, " / ") {
				t.Run(one, func(t *testing.T) {
					playLines(t, slices.Concat(lines[:i], strings.Split(one, " ; "), lines[i+1:]), notes)
				})
			}
			return
		}
	}
	p := &player{rig: newRig(t, strings.TrimSuffix(garden+inlinePictures(notes), "\n-- ")), answer: chains.Decision{Yes: true}}
	for i, line := range lines {
		verb, rest, _ := strings.Cut(line, " ")
		do, ok := p.verbs()[verb]
		if !ok {
			t.Fatalf("what is %q?", line)
		}
		if do(strings.NewReplacer(`\n`, "\n", "¦", "|").Replace(inlinePictures(rest))); t.Failed() {
			t.Fatalf("line %d: %s", i+1, line)
		}
	}
}

// player is a session with the verbs of lines.
type player struct {
	*rig
	turn    turnResult      // the last
	told    []chains.Notice // when the chat was opened
	kept    string          // the file, at another time
	tool    *chaintest.Tool // that searches
	before  string          // said before the next calls
	split   int             // bytes of the pieces that replies come in, 0 for some
	answer  chains.Decision // to what a person is asked
	applied int             // changes that were made
	seen    string          // images of the last request
}

// verbs returns the functions of all verbs. The items of a list are separated by bars.
func (p *player) verbs() map[string]func(rest string) {
	all := p.modelVerbs()
	maps.Copy(all, p.actionVerbs())
	maps.Copy(all, p.checkVerbs())
	return all
}

// bars returns a verb that takes a list.
func bars(do func(all ...string)) func(string) {
	return func(rest string) { do(strings.Split(rest, " | ")...) }
}

// modelVerbs returns the verbs that prepare the model and its replies.
func (p *player) modelVerbs() map[string]func(rest string) {
	return map[string]func(string){
		"replies": bars(func(all ...string) {
			for _, r := range textReplies(all...) {
				r.Split = p.split
				p.model.Add(r)
			}
		}),
		// The notes have pictures; the model reads none, those on the web, or those up to a size.
		"album": func(rest string) {
			for path, mark := range map[vault.Path]byte{
				"photo.png": 'a', "sub/pics/a.png": 'b', "pics/c.png": 'c',
				"other.png": 'd',
			} {
				vaulttest.Write(p, p.vault, path, picture(mark))
			}
			value(p.vault.Revalidate(p.Context()))(p)
			options := gather.Options{RemoteImages: rest == "web"}
			if rest == "max" {
				options.MaxImage = 1000
			}
			p.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply { return reply("Seen.") }})
			p.begin(func(o *chains.Options) { o.Vision, o.Gather = rest != "blind", gather.New(p.vault, options) })
		},
		"split": func(rest string) { p.split = value(strconv.Atoi(rest))(p) },
		"always": func(rest string) {
			p.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply { return reply(rest) }})
		},
		"breaks": func(rest string) {
			p.model.Add(chaintest.Reply{
				Chunks: []string{rest},
				Err:    &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}, ErrAfter: min(len(rest), 1),
			})
		},
		"fails": func(rest string) { // a kind, and what came before
			kind, text, _ := strings.Cut(rest, " ")
			p.model.Add(chaintest.Reply{
				Chunks: []string{text},
				Err:    &chains.ProviderError{Kind: chains.ErrorKind(kind), Message: "No."}, ErrAfter: min(len(text), 1),
			})
		},
		"thinks": func(rest string) { p.model.Add(chaintest.Reply{Reasoning: rest, Finish: chains.FinishLength}) },
		"speaks": func(rest string) { p.before = rest }, // before the next calls
		"calls": bars(func(all ...string) {
			r := reply(p.before)
			for i, one := range all {
				name, args, _ := strings.Cut(one, " ")
				r.ToolCalls = append(r.ToolCalls, call(name, args, i))
			}
			p.before = ""
			p.model.Add(r)
		}),
		"cut": func(rest string) { p.model.Add(chaintest.Reply{Text: rest, Finish: chains.FinishLength}) },
	}
}

// actionVerbs returns the verbs that act as the person, or as other programs.
func (p *player) actionVerbs() map[string]func(rest string) {
	return map[string]func(string){
		"with": func(rest string) { // a chain, and how the model calls tools
			chain, calling, _ := strings.Cut(rest, " ")
			p.tool = core(searcher(p.rig))
			p.begin(func(o *chains.Options) {
				o.Layout, o.Chain = prompt.Append, chains.ChainNamed(chain)
				o.Tools = chains.Toolbox{List: []chains.Tool{p.tool}, Words: about, Calling: chains.CallingMode(calling)}
				o.Tools.Dated = func(text string) bool { return strings.Contains(text, "last week") }
			})
		},
		"tool": func(rest string) { // a name, and what it says
			name, text, _ := strings.Cut(rest, " ")
			if text == "long" {
				text = long("heron")
			}
			p.begin(func(o *chains.Options) {
				o.Chain, o.Tools.List = chains.Agent{}, append(o.Tools.List, core(chaintest.Texts(name, text)))
			})
		},
		"edits": func(rest string) { // a tool that changes a note
			name, path, _ := strings.Cut(rest, " ")
			p.begin(func(o *chains.Options) {
				o.Chain, o.Tools.List = chains.Agent{}, append(o.Tools.List, writer(name, path, &p.applied))
			})
		},
		"web": func(rest string) { // a tool that fetches
			tool := chaintest.Texts(rest, "page")
			tool.ToolSpec.Ask = chains.AccessWeb
			p.begin(func(o *chains.Options) { o.Chain, o.Tools.List = chains.Agent{}, append(o.Tools.List, tool) })
		},
		"off": func(rest string) { p.apply(chains.Change{Off: []string{rest}}) },
		"answer": func(rest string) { // yes, always, no and why, or yes to some of a list
			how, rest, _ := strings.Cut(rest, " ")
			p.answer = chains.Decision{Yes: how != "no", Always: how == "always"}
			if how == "no" {
				p.answer.Reason = rest
			}
			if how == "some" {
				for n := range strings.FieldsSeq(rest) {
					p.answer.Hunks = append(p.answer.Hunks, value(strconv.Atoi(n))(p))
				}
			}
		},
		"policy": func(rest string) { p.session.Policy().Set(rest == "readonly") },
		"limit": func(rest string) {
			name, n, _ := strings.Cut(rest, " ")
			p.begin(func(o *chains.Options) {
				l := &o.Tools.Limits
				*map[string]*int{"rounds": &l.Rounds, "calls": &l.Calls, "tokens": &l.Tokens}[name] = value(strconv.Atoi(n))(p)
			})
		},
		"project": func(rest string) { p.begin(func(o *chains.Options) { o.Instructions = yard(p.rig, rest) }) },
		"chain":   func(rest string) { p.apply(chains.Change{Chain: chains.ChainNamed(rest)}) },
		"paste": func(rest string) {
			p.end(p.session.Send(p.Context(), chains.Input{Text: rest, Spans: []chains.Span{{To: len(rest)}}}), "stop")
		},
		"say": func(rest string) {
			p.end(p.session.Send(p.Context(), inputFrom(rest)), "stop")
		},
		"send": func(rest string) {
			finish, rest, _ := strings.Cut(rest, " ")
			p.end(p.session.Send(p.Context(), inputFrom(rest)), finish)
		},
		"retry": func(rest string) {
			if rest == "" {
				rest = "stop"
			}
			p.end(p.session.Retry(p.Context()), rest)
		},
		"again": func(string) {
			p.end(p.session.Retry(p.Context()), "stop")
			p.is(strings.Join(p.images(), " | "), p.seen)
		},
		"undo":     func(rest string) { p.checkUndone(p.session.Undo(p.Context()))(rest) },
		"takeback": func(rest string) { p.checkUndone(p.session.TakeBack(p.Context()))(rest) },
		"redo":     func(rest string) { p.checkError(p.session.Redo())(rest) },
		"show": func(rest string) {
			number, rest, _ := strings.Cut(rest, " ")
			p.checkError(p.session.ShowVariant(value(strconv.Atoi(number))(p)))(rest)
		},
		"forget":  p.changes(func(r []prompt.Ref) chains.Change { return chains.Change{Forget: r, Done: "forget"} }),
		"mute":    p.changes(func(r []prompt.Ref) chains.Change { return chains.Change{Mute: r, Done: "mute"} }),
		"unmute":  p.changes(func(r []prompt.Ref) chains.Change { return chains.Change{Unmute: r} }),
		"refresh": func(string) { p.apply(chains.Change{Refresh: true}) },
		"layout":  func(rest string) { p.apply(chains.Change{Layout: prompt.Layout(rest), Done: "layout"}) },
		"begin":   func(rest string) { p.begin(func(o *chains.Options) { o.Layout = prompt.Layout(rest) }) },
		"reopen":  func(string) { p.told = p.reopen() },
		"open":    func(rest string) { p.told = p.open(vault.Path(rest)) },
		"title":   func(rest string) { check(p, p.session.SetTitle(rest)) },
		"active":  func(rest string) { check(p, p.session.SetActive(rest)) },
		"write": func(rest string) {
			path, text, _ := strings.Cut(rest, " ")
			vaulttest.Write(p, p.vault, vault.Path(path), text+"\n")
		},
		"large": func(rest string) {
			vaulttest.Write(p, p.vault, vault.Path(rest), picture('l')+strings.Repeat("x", 2000))
		},
		"remove": func(rest string) { vaulttest.Remove(p, p.vault, vault.Path(rest)) },
		"rename": func(rest string) {
			from, to, _ := strings.Cut(rest, " | ")
			vaulttest.Rename(p, p.vault, vault.Path(from), vault.Path(to))
		},
		"append": func(string) { p.outside(appended) },
		"outside": func(rest string) {
			from, to, _ := strings.Cut(rest, " | ")
			p.outside(func(s string) string { return strings.Replace(s, from, to, 1) })
		},
	}
}

// changes returns a verb that changes the session for a list of references.
func (p *player) changes(change func([]prompt.Ref) chains.Change) func(string) {
	return bars(func(all ...string) {
		var named []prompt.Ref
		for _, name := range all {
			named = append(named, refOf(name))
		}
		p.apply(change(named))
	})
}

// end plays a turn and compares its finish. With "nothing" there must be no turn.
func (p *player) end(turn iter.Seq2[chains.Event, error], finish string) {
	if p.turn = p.play(turn); finish == "nothing" {
		p.is(p.turn.err, chains.ErrNothing)
	} else {
		p.turn.ended(chains.Finish(finish))
	}
}

// checkUndone returns a verb that compares the undone step, or the absence of one.
func (p *player) checkUndone(u chains.UndoneStep, err error) func(string) {
	return func(want string) {
		switch {
		case want == "nothing":
			p.is(err, chains.ErrNothing)
		case err != nil:
			p.Fatal(err)
		case want != "" && want != u.Change:
			p.is(input(u.Turn), want)
		}
	}
}

// checkError returns a verb that compares whether there was an error; any word means that there
// was.
func (p *player) checkError(err error) func(string) {
	return func(want string) { p.is(err != nil, want != "") }
}

// checkVerbs returns the verbs that check the session.
func (p *player) checkVerbs() map[string]func(rest string) {
	return map[string]func(string){
		"holds":  bars(func(all ...string) { p.holds(slices.DeleteFunc(all, func(s string) bool { return s == "" })...) }),
		"turns":  bars(p.turns),
		"sent":   p.checkText(p.sent),
		"system": p.checkText(p.system),
		"file":   p.checkText(p.file),
		"earlier": p.checkText(func() (before string) {
			all := p.model.Requests()
			for _, r := range all[:len(all)-1] {
				before += strings.Join(lines(r.Messages), "\n")
			}
			return before
		}),
		"called": bars(func(all ...string) { // in memory and in the file
			c := p.chat()
			saved, _, err := history.Decode([]byte(p.file()))
			want := strings.Join(all, "\n")
			p.is(fmt.Sprint(calledIn(&c), calledIn(&saved), err), fmt.Sprint(want, want, nil))
		}),
		"asked":   func(rest string) { p.is(strconv.Itoa(strings.Count(p.turn.String(), "Asked")), rest) },
		"applied": func(rest string) { p.is(strconv.Itoa(p.applied), rest) },
		"mode":    func(rest string) { p.is(string(p.session.Policy().Mode()), rest) },
		"settled": func(string) { // nothing comes of the reply behind the first question
			_, after, _ := strings.Cut(p.turn.String(), "Asked")
			p.is(strings.Contains(after, "TextDelta"), false)
		},
		"images": func(rest string) {
			p.seen = strings.Join(p.images(), " | ")
			p.is(p.seen, rest)
		},
		"warns":    p.checkText(func() string { return strings.Join(p.turn.notices(""), "\n") }),
		"message":  p.checkText(func() string { all := p.last(); return all[len(all)-1] }),
		"did":      bars(func(all ...string) { p.is(p.turn.did(), strings.Join(all, "\n")) }),
		"shown":    func(rest string) { p.is(p.turn.text(), rest) },
		"footer":   func(rest string) { p.is(strings.TrimPrefix(p.turn.cited().Footer, "\n\n#### Sources:\n\n"), rest) },
		"struck":   func(rest string) { p.is(strings.Trim(fmt.Sprint(p.turn.cited().Struck), "[]"), rest) },
		"dead":     func(rest string) { p.is(strings.Join(p.turn.cited().Dead, " "), rest) },
		"searched": bars(func(all ...string) { p.is(strings.Join(p.tool.Calls(), "\n"), strings.Join(all, "\n")) }),
		"searches": func(rest string) { p.is(strconv.Itoa(len(p.tool.Calls())), rest) },
		"answers":  func(rest string) { p.is(p.session.Snapshot().Chain, rest) },
		"library":  func(rest string) { p.is(p.library(), rest) },
		"drawn": bars(func(all ...string) {
			var got []string
			c := p.chat()
			for i, m := range c.Messages {
				if d := reading.Message(&c, i); m.Role == history.Assistant {
					got = append(got, d.String())
				}
			}
			p.is(strings.Join(got, " | "), strings.Join(all, " | "))
		}),
		"next": func(rest string) { // the number of the next source
			c := p.chat()
			saved, _, err := history.Decode([]byte(p.file()))
			p.is(fmt.Sprint(c.NextSource(), saved.NextSource(), err), fmt.Sprint(rest, " ", rest, " ", nil))
		},
		"turn":    p.checkText(func() string { return p.turn.String() }),
		"keep":    func(string) { p.kept = p.file() },
		"same":    func(string) { p.is(p.file(), p.kept) },
		"unsaved": func(string) { p.is(p.session.Snapshot().Path, "") },
		"last":    func(rest string) { p.is(strings.HasSuffix(p.sent(), rest), true) },
		"states": func(rest string) {
			var states []string
			for _, a := range p.turn.envelope().Attached {
				states = append(states, a.State)
			}
			p.is(strings.Join(states, " "), rest)
		},
		"epoch": func(rest string) {
			e := p.turn.envelope().Epoch
			p.is(fmt.Sprint(e.New, " ", e.Cause), "true "+rest)
		},
		"notices": func(rest string) { // a kind, and how many; or what one of it says
			kind, rest, _ := strings.Cut(rest, " ")
			if all := p.turn.notices(kind); strings.Trim(rest, "0123456789") == "" {
				p.is(strconv.Itoa(len(all)), rest)
			} else {
				p.is(strings.Join(all, "; "), rest)
			}
		},
		"told": func(rest string) { // when the chat was opened
			var kinds []string
			for _, n := range p.told {
				kinds = append(kinds, n.Kind)
			}
			slices.Sort(kinds)
			p.is(strings.Join(kinds, " "), rest)
		},
		"requests": func(rest string) { p.is(strconv.Itoa(len(p.model.Requests())), rest) },
		"chat": func(rest string) {
			c := p.chat()
			p.wants(strings.Join([]string{
				"active=" + c.Choices.Active, "title=" + c.Title, "layout=" + c.Layout,
				"forgotten=" + names(c.Forgotten), "muted=" + names(c.Muted),
			}, " "), strings.Split(rest, " | ")...)
		},
	}
}

// checkText returns a verb that searches a text for words.
func (p *player) checkText(at func() string) func(string) {
	return func(rest string) {
		how, rest, _ := strings.Cut(rest, " ")
		once := func(text string, words ...string) { p.is(strings.Count(text, words[0]), 1) }
		map[string]func(string, ...string){"has": p.wants, "lacks": p.lacks, "once": once}[how](at(),
			strings.Split(rest, " | ")...)
	}
}

// is fails the test if got differs from want.
func (p *player) is(got, want any) {
	if p.Helper(); got != want {
		p.Errorf("it is %v, not %v; the turn was\n%s", got, want, p.turn)
	}
}

// play plays a turn, and answers its questions with p.answer.
func (p *player) play(turn iter.Seq2[chains.Event, error]) turnResult {
	h := turnResult{TB: p}
	for e, err := range turn {
		if h.err = err; err != nil {
			break
		}
		h.events = append(h.events, e)
		if a, ok := e.(chains.Asked); ok {
			d := p.answer
			if a.Batch == nil {
				d.Hunks = nil
			}
			a.Answer(d)
		}
	}
	return h
}

// inputFrom parses a message: after its text, "+" attaches a reference, "!" is the active note,
// "?" the open one, "^" a pin.
func inputFrom(line string) (in chains.Input) {
	words := strings.Split(line, " ")
	for n := len(words) - 1; n > 0 && strings.ContainsAny(words[n][:min(1, len(words[n]))], "+!?^"); n-- {
		switch ref := refOf(words[n][1:]); words[n][0] {
		case '+':
			in.Attach = slices.Insert(in.Attach, 0, ref)
		case '!':
			in.Active, in.Open = ref, ref
		case '?':
			in.Open = ref
		default:
			in.Pins = slices.Insert(in.Pins, 0, ref)
		}
		words = words[:n]
	}
	in.Text, in.Pinned = strings.Join(words, " "), in.Pins
	return in
}

// input returns a message in the form that inputFrom parses.
func input(in chains.Input) string {
	line := in.Text
	for _, r := range in.Attach {
		line += " +" + r.ID
	}
	if in.Active.ID != "" {
		line += " !" + in.Active.ID
	}
	for _, r := range in.Pins {
		line += " ^" + r.ID
	}
	return line
}

// refOf returns the reference to a note, a folder, a tag, or lines of a note: log.md:2-3.
func refOf(name string) prompt.Ref {
	path, lines, ok := strings.Cut(name, ":")
	from, to, _ := strings.Cut(lines, "-")
	switch {
	case ok:
		first, _ := strconv.Atoi(from)
		last, _ := strconv.Atoi(to)
		return prompt.Lines(path, first, last)
	case strings.HasPrefix(name, "@"):
		return prompt.Ref{Kind: prompt.Workspace, ID: name}
	case strings.HasPrefix(name, "#"):
		return prompt.Ref{Kind: prompt.Tag, ID: name}
	case strings.HasSuffix(name, "/"):
		return prompt.Ref{Kind: prompt.Folder, ID: name}
	}
	return note(name)
}

func names(refs []prompt.Ref) string {
	var all []string
	for _, r := range refs {
		all = append(all, r.ID)
	}
	return strings.Join(all, ",")
}
