package desk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// benchTools returns the tools of a desk over a large watched vault, with an active note, 20
// pins and 20 tabs.
func benchTools(b *testing.B, size int) (d *desk.Place, v *vault.Vault,
	call func(ctx context.Context, name, args string) chains.ToolOutput,
) {
	v = vaulttest.Open(b, vaulttest.Generate(b, size), vault.Options{})
	g := gather.New(v, gather.Options{})
	var tools []chains.Tool
	d = desk.New(desk.Options{
		Vault: v, Gather: g, StateDir: b.TempDir(), IndexDir: b.TempDir(), Session: chains.Options{Gather: g},
		Tools: func(d *desk.Desk) chains.Toolbox {
			tools = tool.New(tool.Options{
				Vault: v, Searcher: d.Searcher, Revision: g.Revision, State: d.Workspace,
				Settle: d.Settle, Links: d.Links,
			})
			return chains.Toolbox{List: tools}
		},
	})
	b.Cleanup(func() { _ = d.Close() })
	d.Sync(b.Context())
	ctx, stop := context.WithCancel(b.Context())
	ended, watching := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		d.Run(ctx, desk.Changes{Watch: func(context.Context) (<-chan vault.Batch, error) {
			defer close(watching)
			return make(chan vault.Batch), nil
		}}, func(desk.Update) {})
	}()
	<-watching
	b.Cleanup(func() { stop(); <-ended })
	notes := v.Notes()
	for i := range 20 {
		check(b, vault.AddPin(v, notes[i].Path, time.Now()))
		d.Opened(notes[100+i].Path, state.Search)
	}
	openIn(b, v, notes[50].Path)
	return d, v, func(ctx context.Context, name, args string) chains.ToolOutput {
		i := slices.IndexFunc(tools, func(t chains.Tool) bool { return t.Spec().Name == name })
		out := value(chains.RunTool(ctx, tools[i], args))(b)
		return out
	}
}

// openIn writes the files of Obsidian for an opened note.
func openIn(b *testing.B, v *vault.Vault, p vault.Path) {
	vaulttest.Write(b, v, ".obsidian/workspace.json", fmt.Sprintf(`{"main":{"type":"tabs","children":[{"id":"a","type":"leaf","state":{"type":"markdown","state":{"file":%q}}}]},"active":"a"}`, p))
}

func took(b *testing.B, all []time.Duration) {
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(all[len(all)/2]), "p50-ms")
	b.ReportMetric(ms(all[len(all)*95/100]), "p95-ms")
}

// BenchmarkTools measures the time of tools in vaults of several sizes, including the checks of
// the desk before each call: the 50th and the 95th percentile. The first call of each kind is
// not counted, since it reads what later ones find in memory.
func BenchmarkTools(b *testing.B) {
	for _, size := range []int{1000, 5000, 10_000, 20_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			if size > 1000 && testing.Short() {
				b.SkipNow()
			}
			_, v, call := benchTools(b, size)
			for _, c := range []struct{ name, tool, args string }{
				{"context", "get_workspace_context", `{}`},
				{"41 contents", "get_workspace_context", `{"includeContent":true}`},
				{"current note", "get_current_note", `{"includeLinks":true,"includeOutline":true}`},
				{"by reference", "get_note_by_reference", `{"reference":"Note 77"}`},
				{"related", "get_related_notes", `{}`},
				{"summary", "get_workspace_summary", `{}`},
				{"tree", "getFileTree", `{}`},
			} {
				b.Run(c.name, func(b *testing.B) {
					call(b.Context(), c.tool, c.args)
					var all []time.Duration
					for b.Loop() {
						for range 40 {
							start := time.Now()
							call(b.Context(), c.tool, c.args)
							all = append(all, time.Since(start))
						}
					}
					took(b, all)
				})
			}
			b.Run("event to state", func(b *testing.B) {
				var all []time.Duration
				notes, n := v.Notes(), 0
				for b.Loop() {
					for range 40 {
						n++
						p := notes[n*7%len(notes)].Path
						openIn(b, v, p)
						start := time.Now()
						if out := call(b.Context(), "get_workspace_context",
							`{"includeMetadata":false}`); !strings.Contains(out.Text, fmt.Sprintf(`"activeNote":{"id":%q`, p)) {
							b.Fatalf("%s is not active: %s", p, out.Text)
						}
						all = append(all, time.Since(start))
					}
				}
				took(b, all)
			})
		})
	}
}

// BenchmarkMixedTools makes 10,000 calls of all tools with valid arguments in a vault of 5,000
// notes, and counts the failures.
func BenchmarkMixedTools(b *testing.B) {
	if testing.Short() {
		b.SkipNow()
	}
	const calls, size = 10_000, 5000
	_, v, call := benchTools(b, size)
	notes := v.Notes()
	r := rand.New(rand.NewPCG(3, 1))
	name := func() string { return notes[r.IntN(len(notes))].Path.Base() }
	kinds := []func() (name, args string){
		func() (string, string) {
			return "get_workspace_context", `{"includeContent":true,"maxContentLength":500}`
		},
		func() (string, string) { return "get_workspace_context", `{}` },
		func() (string, string) { return "get_current_note", `{"includeLinks":true}` },
		func() (string, string) { return "get_note_by_reference", fmt.Sprintf(`{"reference":%q}`, name()) },
		func() (string, string) { return "readNote", fmt.Sprintf(`{"notePath":%q}`, name()) },
		func() (string, string) { return "getFileTree", `{"folder":"area3","depth":2}` },
		func() (string, string) { return "getTagList", `{}` },
		func() (string, string) { return "get_related_notes", fmt.Sprintf(`{"reference":%q}`, name()) },
		func() (string, string) { return "get_workspace_summary", `{}` },
		func() (string, string) { return "search_workspace", `{"query":"","folder":"area1"}` },
		func() (string, string) {
			return "search_workspace", fmt.Sprintf(`{"query":"w%d harbour"}`, r.IntN(50_000))
		},
		func() (string, string) {
			return "localSearch", fmt.Sprintf(`{"query":"w%d and the kettle"}`, r.IntN(50_000))
		},
		func() (string, string) { return "getCurrentTime", `{}` },
		func() (string, string) { return "timeRange", `{"expression":"last week"}` },
	}
	for b.Loop() {
		failures, all := 0, make([]time.Duration, 0, calls)
		for range calls {
			n, args := kinds[r.IntN(len(kinds))]()
			start := time.Now()
			if out := call(b.Context(), n, args); out.Text == "" || strings.Contains(out.Text, `"success":false`) {
				failures++
				b.Logf("%s %s: %s", n, args, out.Text)
			}
			all = append(all, time.Since(start))
		}
		took(b, all)
		b.ReportMetric(float64(failures), "failures")
	}
}

// BenchmarkStateSize measures the memory of a workspace with 1,000 pins and the most tabs that
// are kept.
func BenchmarkStateSize(b *testing.B) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for b.Loop() {
		before := heap()
		var s state.State
		for i := range 1000 {
			p := vault.Path(filepath.Join("Folder of some notes", fmt.Sprintf("A note with a name %d.md", i)))
			s = state.Apply(s, state.Event{Kind: state.NotePinned, Path: p, At: time.Now()})
			s = state.Apply(s, state.Event{Kind: state.TabOpened, Path: p + "x", At: time.Now(), Source: state.Search})
		}
		b.ReportMetric(float64(heap()-before)/1024, "KB")
		b.ReportMetric(0, "ns/op")
		runtime.KeepAlive(s)
	}
}
