package tool

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"ibid/chains"
	"ibid/chains/calltext"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
	"ibid/vault/md"
	"ibid/vault/state"
	"ibid/vault/undo"
)

// Options configure the tools. Vault and Searcher are required.
type Options struct {
	Vault    *vault.Vault
	Searcher func(context.Context) index.Searcher // returns a searcher, without an index while that is not ready
	Revision func(vault.Path) string              // returns the revision of a note, see gather.Gatherer; nil means none
	// returns the state of the workspace for a choice of the active note, see chains.Caller; nil means an empty one
	State func(active string) state.State
	// updates State and the given notes in the vault, "" for all; may be nil
	Settle  func(context.Context, ...vault.Path)
	Links   func() *vault.Links // returns the links between the notes; nil collects them for each call
	Chats   vault.Path          // folder of the saved chats, "" if none are saved
	Prompts func() vault.Path   // returns the folder of the saved prompts, which searches skip; may be nil
	Now     func() time.Time    // nil means time.Now
	Web     Web
	Journal *undo.Journal // writes the proposed changes; nil leaves out the tools that write
	Memory  func() string // returns the name of the memory note, "" for none

	DateNames func() dates.Names // returns how notes are named by dates; nil means in the common forms

	Languages func() []string // returns the languages of the notes; nil means unknown

	overview *overview
}

// dateNames returns how notes are named by dates.
func (o *Options) dateNames() dates.Names {
	if o.DateNames == nil {
		return dates.Names{}
	}
	return o.DateNames()
}

// AbsentTools returns the tools that New leaves out because of a setting.
func AbsentTools(o Options) (all []chains.AbsentTool) {
	if !o.Web.Fetch {
		all = append(all,
			chains.AbsentTool{Name: "fetchUrl", Why: "set fetch = true in [tools.web] of the configuration"})
	}
	if o.Web.Search == "" {
		all = append(all,
			chains.AbsentTool{
				Name: "webSearch",
				Why:  "set search in [tools.web] of the configuration to the address of a SearXNG server",
			})
	}
	return all
}

// NewToolbox returns the tools of [New], with what a session looks up by itself.
func NewToolbox(o Options) chains.Toolbox {
	o.Languages = Languages(o.Vault)
	return chains.Toolbox{
		List: New(o), Absent: AbsentTools(o), Related: o.Related, Languages: o.Languages,
		Words: Words, Dated: NamesTime,
		Version: func() uint64 { return Version(o.Vault) },
	}
}

// New returns the tools that read the vault, sorted by name, followed by those that propose changes and those that
// use the web, as far as Options allow them.
func New(o Options) []chains.Tool {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Revision == nil {
		o.Revision = func(vault.Path) string { return "" }
	}
	if o.State == nil {
		o.State = func(string) state.State { return state.State{} }
	}
	if o.Settle == nil {
		o.Settle = func(context.Context, ...vault.Path) {}
	}
	settle := o.Settle
	o.Settle = func(ctx context.Context, named ...vault.Path) {
		if open := o.State(chains.CallerOf(ctx).Active).Active.Path; open != "" {
			named = append(slices.Clip(named), open)
		}
		settle(ctx, named...)
	}
	if o.Links == nil {
		o.Links = func() *vault.Links { return vault.NewLinks(o.Vault.Notes(), o.Vault.Resolve) }
	}
	if o.Web.Pages.Client == nil {
		o.Web.Pages.Client = gather.PublicClient()
	}
	if o.Languages == nil {
		o.Languages = func() []string { return nil }
	}
	o.overview = &overview{}
	tools := []chains.Tool{
		newTool("getCurrentTime", nil, o.currentTime),
		newTool("getFileTree", o.Settle, o.fileTree),
		newTool("getTagList", o.Settle, o.tagList),
		newTool("get_current_note", o.Settle, o.currentNote),
		newTool("get_note_by_reference", o.Settle, o.noteByReference),
		newTool("get_note_diff", o.Settle, o.noteDiff),
		newTool("get_related_notes", o.Settle, o.relatedNotes),
		newTool("get_workspace_context", o.Settle, o.workspaceContext),
		newTool("get_workspace_summary", o.Settle, o.workspaceSummary),
		localTool{newTool("localSearch", o.Settle, o.localSearch), o.Languages},
		newTool("readNote", o.Settle, o.readNote),
		newTool("search_workspace", o.Settle, o.searchWorkspace),
		newTool("timeRange", nil, o.timeRange),
	}
	if o.Journal != nil {
		tools = append(tools, newTool("editFile", o.Settle, o.editFile), newTool("writeToFile", nil, o.writeToFile),
			newTool(chains.MemoryTool, o.Settle, o.updateMemory))
	}
	if o.Web.Fetch {
		tools = append(tools, newTool("fetchUrl", nil, o.fetchURL))
	}
	if o.Web.Search != "" {
		tools = append(tools, newTool("webSearch", nil, o.webSearch))
	}
	for i := range tools {
		tools[i] = checkedTool{tools[i], o.Vault}
	}
	return tools
}

// checkedTool is a Tool that gives nothing of the vault while it is not known what is excluded. It looks again after
// a call, since a rule may turn out to be unreadable when it is used.
type checkedTool struct {
	chains.Tool
	vault *vault.Vault
}

// withheldResult is the result of a tool that may not look at the vault. It names no rule, because rules name notes.
var withheldResult = newMistake("the notes of this vault cannot be looked up now",
	"answer without them, and say so; the person knows why")

func (t checkedTool) Call(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
	spec := t.Spec()
	usesVault := !spec.NoNotes && spec.Ask != chains.AccessWeb
	if usesVault && t.vault.Withheld() != nil {
		return withheldResult.output(), ctx.Err()
	}
	out, err := t.Tool.Call(ctx, args)
	if usesVault && t.vault.Withheld() != nil {
		return withheldResult.output(), err
	}
	return out, err
}

// tool is a Tool whose arguments decode into an A.
type tool[A any] struct {
	spec   chains.ToolSpec
	settle func(context.Context, ...vault.Path) // called before each call; nil for tools that do not use the vault
	call   func(context.Context, A) chains.ToolOutput
}

// descriptions has a file for each tool: its description, and after a line of dashes its permissions, in words, and
// its schema.
//
//go:embed *.md
var descriptions embed.FS

func newTool[A any](name string, settle func(context.Context, ...vault.Path),
	call func(context.Context, A) chains.ToolOutput,
) chains.Tool {
	file, _ := descriptions.ReadFile(name + ".md") // a test checks that it exists
	text, rest, _ := strings.Cut(string(file), "\n---\n")
	words, schema, _ := strings.Cut(rest, "\n")
	is := func(word string) bool { return slices.Contains(strings.Fields(words), word) }
	spec := chains.ToolSpec{
		Name: name, Description: strings.TrimSpace(text), Schema: strings.ReplaceAll(schema, "\n", ""),
		Core: is("core"), NoNotes: is("no-notes"), Writes: is("writes"),
	}
	if is("web") {
		spec.Ask = chains.AccessWeb
	}
	if is("address") {
		spec.Address = "url"
	}
	return tool[A]{spec, settle, call}
}

// defaultsOf returns the arguments of a call that gives none.
func defaultsOf[A any](schema string) (defaults A) {
	var s jsonschema.Schema
	_ = json.Unmarshal([]byte(schema), &s) // a test checks that it is valid
	for name, p := range s.Properties {
		if p.Default != nil {
			_ = json.Unmarshal([]byte(`{"`+name+`":`+string(p.Default)+"}"), &defaults)
		}
	}
	return defaults
}

func (t tool[A]) Spec() chains.ToolSpec { return t.spec }

func (t tool[A]) Call(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
	a := defaultsOf[A](t.spec.Schema)
	if err := json.Unmarshal(args, &a); err != nil {
		return failedResult("the arguments are not understood: "+err.Error(), "correct them and call again"), nil
	}
	if t.settle != nil {
		t.settle(ctx)
	}
	out := t.call(ctx, a)
	out.Note = md.Clip(visibleLine(out.Note), maxRemark) // names may contain control characters for a terminal
	return out, ctx.Err()
}

// result is the result of most tools.
type result struct {
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Error   string `json:"error,omitempty"`
	Message string `json:"message"`
}

// success returns the text of a result with data.
func success(data any, message string) string {
	return calltext.JSON(result{Success: true, Data: data, Message: message})
}

// failedResult returns a result that reports an error on which the model can act.
func failedResult(what, message string) chains.ToolOutput {
	return newMistake(what, message).output()
}

// mistake is an error about an argument.
type mistake struct {
	what, message string
	candidates    []string // notes that the argument may mean
}

func newMistake(what, message string) *mistake { return &mistake{what: what, message: message} }

func (m *mistake) Error() string { return m.what + ": " + m.message }

func (m *mistake) output() chains.ToolOutput {
	r := result{Error: m.what, Message: m.message}
	if len(m.candidates) > 0 {
		r.Data = map[string][]string{"candidates": m.candidates}
	}
	return chains.ToolOutput{Text: calltext.JSON(r), Note: m.what}
}

// findFolder returns the folder that an argument names, in any case.
func (o *Options) findFolder(name string) (vault.Path, *mistake) {
	folder, ok := vault.FolderNamed(o.Vault.Folders(), strings.TrimSpace(name))
	if !ok {
		return "", newMistake(fmt.Sprintf("folder: there is no folder %q", name),
			"leave folder out, or name one that there is")
	}
	return folder, nil
}

// includesChats reports whether a search in a folder includes saved chats.
func (o *Options) includesChats(folder vault.Path) bool {
	return o.Chats != "" && (folder == o.Chats || folder.In(o.Chats)) && folder != ""
}

// skippedFolder returns the folder of the saved prompts, or "" if the search is in it.
func (o *Options) skippedFolder(folder vault.Path) vault.Path {
	if o.Prompts == nil {
		return ""
	}
	if p := o.Prompts(); folder != p && (folder == "" || !folder.In(p)) {
		return p
	}
	return ""
}

// timeExamples lists forms of a time.
const timeExamples = `such as "last week", "in March 2025", "3 days ago", "2025-08-01" or "2025-08-01/2025-08-15"`

// parseDays parses a time in the argument of this name.
func (o *Options) parseDays(name, text string) (dates.Range, *mistake) {
	if strings.TrimSpace(text) == "" {
		return dates.Range{}, nil
	}
	r, ok := dates.Parse(text, o.Now())
	if !ok {
		return r, newMistake(fmt.Sprintf("%s: %q is not understood as a time", name, text),
			name+" is a time "+timeExamples)
	}
	return r, nil
}

// formatRange returns a range as its first and last day, "" for an open end.
func formatRange(r dates.Range) (start, end string) {
	if !r.From.IsZero() {
		start = r.From.Format(time.DateOnly)
	}
	if !r.Until.IsZero() {
		end = r.Until.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return start, end
}

// summary lists notes for the person: "3 notes: a.md, b.md, c.md".
func summary(paths []string) string {
	var names []string
	for _, p := range paths {
		if !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	return md.Plural(len(names), "note") + ": " + strings.Join(names, ", ")
}

// maxRemark limits the characters of a remark for the person.
const maxRemark = 120
