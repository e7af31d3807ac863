package chains

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ibid/chains/calltext"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
)

// Tool is something that a model may call in its loop. Call may run at the same
// time as others and ends soon after its context does. Its error is for that;
// what a model can act on is a result.
type Tool interface {
	Spec() ToolSpec // always the same
	Call(ctx context.Context, args json.RawMessage) (ToolOutput, error)
}

// RelatedNote is a note that has to do with another, and why.
type RelatedNote struct {
	ID, Title string
	Why       []string
}

// Toolbox is the tools of a session, and how much of them a turn may use.
type Toolbox struct {
	List []Tool
	// finds notes that have to do with some; nil finds none
	Related   func(ctx context.Context, chat string, of ...string) ([]RelatedNote, error)
	Limits    Limits
	Words     func(text string) []string // what a text is about, nil for "thanks"; without it, all of its words
	Languages func() []string            // of the notes; nil: they are not known
	Dated     func(text string) bool     // whether a text names a time; nil: none does
	Version   func() uint64              // of the notes that the tools read; nil: they stay the same
	Calling   CallingMode                // comes with the model
	// told of a server that takes no tools for the model; may be nil; comes with the model
	Refused func()
	Refuses func() bool // whether Refused was told, by any chat; may be nil; comes with the model
	Read    ReadPolicy
	Set     string       // "all" or "core"; "" is core where the window is below 32k
	Off     []string     // names of tools that are not offered
	Absent  []AbsentTool // tools that are not in the list
	Active  string       // see Caller, where the chat does not say
}

// AbsentTool is a tool that there is not, and the setting that would change that.
type AbsentTool struct{ Name, Why string }

// ComeWith takes over from another box what comes with the model.
func (b *Toolbox) ComeWith(model Toolbox) {
	b.Calling, b.Refused, b.Refuses = model.Calling, model.Refused, model.Refuses
}

// equip takes over the tools that there are.
func (b *Toolbox) equip(now *Toolbox) { b.List, b.Absent = now.List, now.Absent }

// CallingMode tells ways of models to call tools apart.
type CallingMode string

// The ways to call tools.
const (
	CallsNatively CallingMode = ""     // in the fields that the protocol has for it
	CallsInText   CallingMode = "text" // in the text of the reply, as a guide in the system message tells it
	CallsNothing  CallingMode = "none" // not at all: chains look things up before the request, by rule
)

// ReadPolicy says whether a model may look things up by itself.
type ReadPolicy string

// What a person allows.
const (
	ReadAll ReadPolicy = ""
	ReadAsk ReadPolicy = "ask" // a person is asked once a conversation
	ReadOff ReadPolicy = "off" // no tools are offered
)

// coreBelow is the window, in tokens, below which only the core of the tools is offered.
const coreBelow = 32_000

// ToolSpec describes a tool: Name, Description and Schema to a model.
type ToolSpec struct {
	Name        string
	Description string
	Schema      string // JSON Schema of the arguments
	Core        bool   // it is offered where there is room for few
	NoNotes     bool   // it looks at no note, so that nobody is asked before it is used
	Writes      bool   // it proposes changes: its calls run one by one, after the others
	Ask         Access // what a person is asked before its first call in a conversation, "" for nothing
	Address     string // argument that is an address: Ask is for each host that the person did not write
}

// ToolOutput carries findings or a proposal of a tool. It holds no markup: context/prompt
// writes it.
type ToolOutput struct {
	Documents  []Document
	Text       string // text or JSON; with Documents the line in front of them
	Guidance   string // how to cite the documents
	Attributes [][2]string
	Sources    []Source
	Note       string // what was found, for people: "3 notes: a.md, b.md, c.md"
	// how to get what stands behind so many characters of its longest text, in few words; nil if there is no way
	Rest     func(shown int) string
	Propose  *Proposal
	Repaired []string // what of the arguments was put right
}

// Document is a passage that a tool found.
type Document = prompt.Document

// Source may be cited by a reply.
type Source = prompt.Source

// Access names a thing that a person has to allow.
type Access string

// The kinds of access.
const (
	AccessRead  Access = "read"  // notes that were not attached
	AccessWeb   Access = "web"   // the network
	AccessWrite Access = "write" // a change of a file
)

// Caller describes to a tool the conversation that calls it.
type Caller struct {
	Chat  string // vault-relative path of the chat file, "" if it is not saved
	Epoch int64  // identity of the chat, 0 if it is not saved
	Turn  int    // of the chat, from 1; 0 if that is not known
	Room  int    // characters that a result may have, 0 if it is not known

	// Active is the person's choice for the note that is open: "" or "follow" for the
	// one that is, "off" for none, or the path of another.
	Active string

	// Held is the revision at which the model has a note, or gets it with this turn;
	// "" if it does not. It may be nil.
	Held func(path string) string

	// Version is a note as the model has it, and as it is now: the copy in the library
	// ([InLibrary]), what it was shown last (0), or what it had at the end of a turn,
	// counted from 1. The error is in words for the model. It may be nil.
	Version func(ctx context.Context, path string, turn int) (Version, error)
}

type callerKey struct{}

// In is a context for calls of tools in the name of c.
func (c Caller) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// caller is the conversation of a turn, for the tools that it calls.
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
	}
}

// CallerOf finds the caller of a tool; zero if that is no conversation.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// RunTool calls a tool with arguments as a model sends them. Arguments that are not
// understood are a result that says why.
func RunTool(ctx context.Context, t Tool, sent string) (ToolOutput, error) {
	args, repaired, err := toolcall.Arguments(t.Spec().Schema, sent)
	if err != nil {
		return failedOutput(err.Error(), "the call was not run: correct the arguments"), nil
	}
	out, err := t.Call(ctx, args)
	out.Repaired = repaired
	return out, err
}

// Result is the output as the engine takes it, for a call of the tool of this name.
func (o ToolOutput) Result(name string) prompt.ToolResult {
	r := o.result("", name)
	if len(o.Repaired) > 0 {
		r.Stop = "(" + strings.Join(o.Repaired, "; ") + ")"
	}
	return r
}

// result is the output as the engine takes it.
func (o ToolOutput) result(call, name string) prompt.ToolResult {
	return prompt.ToolResult{
		Call: call, Name: name, Attributes: o.Attributes, Content: o.Text,
		Documents: o.Documents, Guidance: o.Guidance, Sources: o.Sources,
	}
}

// failedOutput is a result that says what went wrong, for the model to act on.
func failedOutput(what, message string) ToolOutput {
	text, _ := json.Marshal(struct { // strings always marshal
		Success bool   `json:"success"`
		Error   string `json:"error"`
		Message string `json:"message"`
	}{false, what, message})
	return ToolOutput{Text: string(text)}
}

// toolList is the tools of a conversation as its requests carry them.
type toolList struct {
	specs  []ToolSpec
	names  []string
	hash   string
	tokens int
	tools  map[string]Tool // by name, without case and underscores
}

// callableTools are the tools that the model may call, nil if there are none. It is the same
// as long as the person, the model and its window are.
func (st *sessionTools) callableTools(o *Options) *toolList {
	b := &o.Tools
	if b.Calling == CallsNothing || b.Read == ReadOff {
		return nil
	}
	key := fmt.Sprintf("%q %t %q %d", o.ModelName, o.coreOnly(), b.Off, len(b.List))
	l, ok := st.lists[key]
	if !ok {
		l = o.toolList()
		if st.lists == nil {
			st.lists = map[string]*toolList{}
		}
		st.lists[key] = l
	}
	if len(l.specs) == 0 {
		return nil
	}
	return l
}

// coreOnly reports whether there is room for few tools.
func (o *Options) coreOnly() bool {
	return o.inText() || o.Tools.Set == "core" || o.Tools.Set == "" && o.Window > 0 && o.Window < coreBelow
}

// offeredTools is the list that goes with every request, nil while no chain has
// offered it.
func (st *sessionTools) offeredTools(o *Options) *toolList {
	if !st.offers {
		return nil
	}
	return st.callableTools(o)
}

// callableTool is the tool of this name that the model may call now, nil if there is none.
func (st *sessionTools) callableTool(o *Options, name string) Tool {
	if offered := st.offeredTools(o); offered != nil {
		return offered.tools[calltext.FoldName(name)]
	}
	return nil
}

// withheld is why the model may not call a tool, "" if it may.
func (o *Options) withheld(spec ToolSpec) string {
	switch {
	case slices.Contains(o.Tools.Off, spec.Name):
		return "off"
	case o.coreOnly() && !spec.Core:
		return "only the core is offered"
	}
	return ""
}

// Withheld is why a model may not call a tool in a session with these options, in
// words for a person; "" if it may, in a chain that offers tools.
func (o Options) Withheld(spec ToolSpec) string {
	switch {
	case o.Tools.Read == ReadOff:
		return "tools.read is off"
	case o.Tools.Calling == CallsNothing:
		return "the model calls no tools"
	}
	return o.withheld(spec)
}

// toolList makes the list of the tools, sorted by name.
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
	sum := sha256.Sum256([]byte(all))
	l.hash = hex.EncodeToString(sum[:])
	return l
}

// toolNamed is the tool of this name, nil if there is none.
func (b *Toolbox) toolNamed(name string) Tool {
	for _, tool := range b.List {
		if tool.Spec().Name == name {
			return tool
		}
	}
	return nil
}
