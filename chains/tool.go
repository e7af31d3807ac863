package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ibid/chains/calltext"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
)

// Tool is a function that a model may call. Call may run in parallel with others and returns soon after its context
// has ended. It returns an error only for what the model cannot act on; anything else is a result.
type Tool interface {
	Spec() ToolSpec // constant
	Call(ctx context.Context, args json.RawMessage) (ToolOutput, error)
}

// RelatedNote is a note that is related to another, with the reasons in words.
type RelatedNote struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Why   []string `json:"why"`
}

// Toolbox holds the tools of a session, and the settings of their use.
type Toolbox struct {
	List []Tool
	// finds notes related to others; nil finds none
	Related func(ctx context.Context, chat string, of ...string) ([]RelatedNote, error)
	Limits  Limits
	// returns the words of a text that a search needs, none for "thanks"; nil means all words
	Words     func(text string) []string
	Languages func() []string        // returns the languages of the notes; nil if unknown
	Dated     func(text string) bool // reports whether a text names a time; nil means never
	Version   func() uint64          // counts the changes of the notes; nil means that they never change
	Calling   CallingMode            // depends on the model
	// records that the server refuses tools for the model; may be nil; depends on the model
	Refused func()
	Refuses func() bool // reports whether any chat called Refused; may be nil; depends on the model
	Read    ReadPolicy
	Set     string       // "all" or "core"; "" is core if the window is below 32k
	Off     []string     // names of tools that are not offered
	Absent  []AbsentTool // tools that are not in List
	Active  string       // default of Caller.Active
}

// AbsentTool is a tool that is not available, and the setting that would make it so.
type AbsentTool struct{ Name, Why string }

// ComeWith copies the fields that depend on the model from another toolbox.
func (b *Toolbox) ComeWith(model Toolbox) {
	b.Calling, b.Refused, b.Refuses = model.Calling, model.Refused, model.Refuses
}

// CallingMode is the way in which a model calls tools.
type CallingMode string

// The ways to call tools.
const (
	CallsNatively CallingMode = ""     // in fields of the protocol
	CallsInText   CallingMode = "text" // in the text of the reply, as a guide in the system message describes
	CallsNothing  CallingMode = "none" // not at all: chains make lookups before the request, by rule
)

// ReadPolicy determines whether a model may look things up.
type ReadPolicy string

// The policies that a person can choose.
const (
	ReadAll ReadPolicy = "all" // also ""
	ReadAsk ReadPolicy = "ask" // a person is asked once a conversation
	ReadOff ReadPolicy = "off" // no tools are offered
)

// coreBelow is the window, in tokens, below which only the core tools are offered.
const coreBelow = 32_000

// ToolSpec describes a tool. The model gets Name, Description and Schema.
type ToolSpec struct {
	Name        string
	Description string
	Schema      string // JSON Schema of the arguments
	Core        bool   // offered also where there is room for few tools
	NoNotes     bool   // reads no note, so that no permission is needed
	Writes      bool   // proposes changes: its calls run one by one, after the others
	Ask         Access // permission that its first call in a conversation needs, "" for none
	Address     string // argument that is an address: each host that the person did not type needs its own permission
}

// ToolOutput is the result of a tool: findings, or a proposal. It contains no markup; context/prompt adds that.
type ToolOutput struct {
	Documents  []Document
	Text       string // text or JSON; a heading line if there are Documents
	Guidance   string // how to cite the documents
	Attributes [][2]string
	Sources    []Source
	Note       string // what was found, for the person: "3 notes: a.md, b.md, c.md"
	// says in a few words how to get the part of the longest text after so many characters; nil if there is no way
	Rest     func(shown int) string
	Propose  *Proposal
	Repaired []string // corrections of the arguments, in words
}

// Document is a passage that a tool found.
type Document = prompt.Document

// Source is a passage that a reply may cite.
type Source = prompt.Source

// Access is a kind of access that a person has to allow.
type Access string

// The kinds of access.
const (
	AccessRead  Access = "read"  // notes that were not attached
	AccessWeb   Access = "web"   // the network
	AccessWrite Access = "write" // a change of a file
)

// Caller describes the conversation that calls a tool.
type Caller struct {
	Chat  string // vault-relative path of the chat file, "" if it is not saved
	Epoch int64  // identity of the chat, 0 if it is not saved
	Turn  int    // number of the turn, from 1; 0 if unknown
	Room  int    // characters that a result may have, 0 if unknown

	Preview bool // the turn is looked at, not sent: no server is asked for it

	Walk *Walk // shared by the calls that begin together; nil if each makes its own

	// Active is the person's choice of the active note: "" or "follow" for the one that is open, "off" for none, or
	// the path of another.
	Active string

	// Held returns the revision of a note that the model has or gets with this turn, "" if it has none. It may be
	// nil.
	Held func(path string) string

	// Version returns a note as the model has it, and as it is now: with turn [InLibrary] the copy in the library,
	// with 0 the one that it was shown last, else the one at the end of that turn, from 1. The error is in words
	// for the model. It may be nil.
	Version func(ctx context.Context, path string, turn int) (Version, error)
}

type callerKey struct{}

// In returns a context for calls of tools by c.
func (c Caller) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// togetherIn returns a context for calls by the same caller that begin together now, and so share a new Walk.
func togetherIn(ctx context.Context) context.Context {
	c := CallerOf(ctx)
	c.Walk = &Walk{}
	return c.In(ctx)
}

// caller returns the description of this turn for the tools that it calls. The calls in one context of it share a
// Walk.
func (p *PendingTurn) caller() Caller {
	held := func(path string) string {
		for _, items := range [][]prompt.Item{p.engine.Attached, p.conv.Known()} {
			for _, it := range items {
				if it.Kind == prompt.Note && it.ID == path {
					return it.Revision.Short()
				}
			}
		}
		return ""
	}
	return Caller{
		Chat: string(p.s.chat.Path), Epoch: p.s.chat.Epoch, Turn: p.s.chat.Turns(),
		Active: cmp.Or(p.s.chat.Choices.Active, p.s.opts.Tools.Active), Held: held, Version: p.versionOf,
		Walk: &Walk{},
	}
}

// CallerOf returns the caller in a context, zero if there is none.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// RunTool calls a tool with arguments as a model sends them. Arguments that cannot be understood give a result that
// says why.
func RunTool(ctx context.Context, t Tool, sent string) (ToolOutput, error) {
	args, repaired, err := toolcall.Arguments(t.Spec().Schema, sent)
	if err != nil {
		return failedOutput(err.Error(), "the call was not run: correct the arguments"), nil
	}
	out, err := t.Call(ctx, args)
	out.Repaired = repaired
	return out, err
}

// Result returns the output in the form for the engine, as the result of the tool of this name.
func (o ToolOutput) Result(name string) prompt.ToolResult {
	r := prompt.ToolResult{
		Name: name, Attributes: o.Attributes, Content: o.Text,
		Documents: o.Documents, Guidance: o.Guidance, Sources: o.Sources,
	}
	if len(o.Repaired) > 0 {
		r.Stop = "(" + strings.Join(o.Repaired, "; ") + ")"
	}
	return r
}

// failedOutput returns a result that reports an error on which the model can act.
func failedOutput(what, message string) ToolOutput {
	text, _ := json.Marshal(struct { // a struct of strings always marshals
		Success bool   `json:"success"`
		Error   string `json:"error"`
		Message string `json:"message"`
	}{false, what, message})
	return ToolOutput{Text: string(text)}
}

// toolList is the list of tools in the requests of a conversation.
type toolList struct {
	specs  []ToolSpec
	names  []string
	hash   string
	tokens int
	tools  map[string]Tool // by name, lower case and without underscores
}

// callableTools returns the tools that the model may call, nil if there are none. The list is the same as long as
// the model, its window and the choices of the person are.
func (s *Session) callableTools() *toolList {
	o, b := &s.opts, &s.opts.Tools
	if b.Calling == CallsNothing || s.looksUpNothing() {
		return nil
	}
	key := fmt.Sprintf("%q %t %q %d", o.ModelName, o.coreOnly(), b.Off, len(b.List))
	l, ok := s.tools.lists[key]
	if !ok {
		l = o.toolList()
		s.tools.lists[key] = l
	}
	if len(l.specs) == 0 {
		return nil
	}
	return l
}

// looksUpNothing reports whether the model may look nothing up: the person said so, or it is not known what is
// excluded.
func (s *Session) looksUpNothing() bool {
	return s.opts.Tools.Read == ReadOff || s.opts.Gather.Withheld() != nil
}

// coreOnly reports whether only the core tools are offered.
func (o *Options) coreOnly() bool {
	return o.inText() || o.Tools.Set == "core" || o.Tools.Set == "" && o.Window > 0 && o.Window < coreBelow
}

// offeredTools returns the list that every request has, nil as long as no chain has offered it.
func (s *Session) offeredTools() *toolList {
	if !s.tools.offers {
		return nil
	}
	return s.callableTools()
}

// callableTool returns the tool of this name if the model may call it now, else nil.
func callableTool(s *Session, name string) Tool {
	if offered := s.offeredTools(); offered != nil {
		return offered.tools[calltext.FoldName(calltext.PlainName(name))]
	}
	return nil
}

// withheld returns why a tool is not in the list, "" if it is.
func (o *Options) withheld(spec ToolSpec) string {
	switch {
	case slices.Contains(o.Tools.Off, spec.Name):
		return "off"
	case o.coreOnly() && !spec.Core:
		return "only the core is offered"
	}
	return ""
}

// Withheld returns why a model may not call a tool in a session with these options, in words for the person; "" if
// it may, in a chain that offers tools.
func (o Options) Withheld(spec ToolSpec) string {
	switch {
	case o.Tools.Read == ReadOff:
		return "tools.read is off"
	case o.Gather != nil && o.Gather.Withheld() != nil:
		return o.Gather.Withheld().Error()
	case o.Tools.Calling == CallsNothing:
		return "the model calls no tools"
	}
	return o.withheld(spec)
}

// toolList builds the list of the tools, sorted by name.
func (o *Options) toolList() *toolList {
	l := &toolList{tools: map[string]Tool{}}
	all := ""
	tools := slices.Clone(o.Tools.List)
	slices.SortFunc(tools, func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	for _, tool := range tools {
		spec := tool.Spec()
		if o.withheld(spec) != "" {
			continue
		}
		l.specs, l.names = append(l.specs, spec), append(l.names, spec.Name)
		l.tools[calltext.FoldName(spec.Name)] = tool
		for _, text := range []string{spec.Name, spec.Description, spec.Schema} {
			all += text + "\x00"
			l.tokens += o.Count(text)
		}
	}
	l.hash = hashOf(all)
	return l
}

// toolNamed returns the tool of this name, nil if there is none.
func (b *Toolbox) toolNamed(name string) Tool {
	for _, tool := range b.List {
		if tool.Spec().Name == name {
			return tool
		}
	}
	return nil
}
