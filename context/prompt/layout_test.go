package prompt

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"ibid/vault/vaulttest"
)

// price describes the prefix cache of a provider: its matching, and its prices relative to an
// uncached input token.
type price struct {
	name string
	Cache
	life time.Duration
}

// The rules of providers at the end of 2026.
var prices = []price{
	{"OpenAI ≤ 5.5", Cache{Kind: CacheSteps, Read: 0.1, Write: 1, Step: 128, Min: 1024}, 10 * time.Minute},
	{"GPT-5.6+", Cache{Kind: CacheBoundaries, Read: 0.1, Write: 1.25, Min: 1024, Marks: "cache_control"}, 30 * time.Minute},
	{"Anthropic", Cache{Kind: CacheBlocks, Read: 0.1, Write: 1.25, Min: 1024, Marks: "cache_control"}, 5 * time.Minute},
	{"DeepSeek V4", Cache{Kind: CacheRequests, Read: 0.02, Write: 1, Min: 64}, 24 * time.Hour},
}

// player builds requests in one layout.
type player interface {
	request(e event, files map[string]string, cold bool) []Message
	addReply(e event)
}

const layoutL1 = 800 * 4 // bytes of instructions

var layouts = []struct {
	name string
	make func(Cache) player
}{
	{"auto", func(c Cache) player { return &engine{cache: c, layout: Auto} }},
	{"strict", func(c Cache) player { return &engine{cache: c, layout: Strict} }},
	{"append", func(c Cache) player { return &engine{cache: c, layout: Append} }},
	{"library in the system message", func(Cache) player { return &cumulative{} }},
	{"the same, first copies kept", func(Cache) player { return &cumulative{frozen: true} }},
	{"notes glued to each message", func(Cache) player { return &glued{} }},
}

var instructions = strings.Repeat("Be helpful. ", layoutL1/12)

// engine is the layout of this package.
type engine struct {
	layout    Layout
	cache     Cache
	c, before Conversation
	env       Envelope
}

var (
	notes     = map[string]Item{} // by path, as it was made last: hashing is most of the work
	noteTexts = map[string]string{}
)

func noteOf(p, text string) Item {
	if was, ok := noteTexts[p]; !ok || was != text {
		noteTexts[p], notes[p] = text, NewItem(Ref{Note, p}, p, p, text)
	}
	return notes[p]
}

func (g *engine) request(e event, files map[string]string, cold bool) []Message {
	if e.again {
		g.c = g.before
	}
	g.before = g.c
	t := Turn{
		Text: e.question, Active: e.active, Settings: Settings{L1: instructions}, Layout: g.layout,
		Cache: g.cache, Current: map[string]Current{},
	}
	t.Cache.Cold = cold
	for _, p := range e.attached {
		t.Attached = append(t.Attached, noteOf(p, files[p]))
	}
	for _, k := range g.c.Known() {
		if now := noteOf(k.ID, files[k.ID]); now.Revision != k.Revision {
			t.Current[k.ID] = Current{State: Changed, Item: now}
		}
	}
	if e.tool != "" {
		t.Tools = []ToolResult{{Name: "localSearch", Content: e.tool}}
	}
	env, err := g.c.Prepare(t)
	if err != nil {
		panic(err) // no window, so nothing can be too long
	}
	g.env = env
	return env.Messages()
}

func (g *engine) addReply(e event) { g.c = g.env.Commit(e.reply, "") }

// cumulative is the layout to compare with: a library of all earlier notes in the system
// message, in the order of their first attachment, then the history as displayed. Known notes
// are named, and new ones are sent in full with the question. If a known note is attached again
// its text in the library is replaced; with frozen it is not, which is cheaper and often out of
// date.
type cumulative struct {
	frozen  bool
	library []Item
	fresh   []Item // of this turn
	history []Message
	length  int // of the history before the last turn
}

func (l *cumulative) request(e event, files map[string]string, _ bool) []Message {
	if e.again {
		l.history, l.fresh = l.history[:l.length], nil
	}
	l.library = append(l.library, l.fresh...)
	l.fresh = nil
	var parts, ids []string
	if e.tool != "" {
		parts = append(parts, toolHeading+"\n\n"+toolSegment(ToolResult{Name: "localSearch", Content: e.tool}, blockTags))
	}
	var blocks []string
	for _, p := range e.attached {
		it := noteOf(p, files[p])
		same := func(o Item) bool { return o.ID == p }
		switch i := slices.IndexFunc(l.library, same); {
		case i >= 0 && slices.Contains(ids, p), slices.ContainsFunc(l.fresh, same):
		case i >= 0:
			ids = append(ids, p)
			if !l.frozen {
				l.library[i] = it
			}
		default:
			l.fresh = append(l.fresh, it)
			blocks = append(blocks, block(it, p == e.active))
		}
	}
	if len(ids) > 0 {
		parts = append(parts, listHeading+"\n- "+strings.Join(ids, "\n- ")+"\n\n"+findInSystem)
	}
	system := instructions
	if len(l.library) > 0 {
		system += "\n\n" + libraryHeading
		for _, it := range l.library {
			system += "\n\n" + block(it, false)
		}
	}
	out := append([]Message{{
		Role: System, Content: system,
		Parts: []Part{{len(instructions), true}, {len(system), true}},
	}}, l.history...)
	return append(out, markedMessage(userMessage(append(parts, blocks...), e.question)))
}

func (l *cumulative) addReply(e event) {
	l.length = len(l.history)
	visible, _, _ := SplitNote(e.reply)
	l.history = append(l.history, Message{Role: User, Content: e.question}, Message{Role: Assistant, Content: visible})
}

// markedMessage returns a last message with a mark at its end, as clients send it.
func markedMessage(text string) Message {
	return Message{Role: User, Content: text, Parts: []Part{{len(text), true}}}
}

// glued puts the full text of everything that is attached before each question.
type glued struct {
	history []Message
	last    Message
	length  int
}

func (l *glued) request(e event, files map[string]string, _ bool) []Message {
	if e.again {
		l.history = l.history[:l.length]
	}
	var parts []string
	if e.tool != "" {
		parts = append(parts, toolHeading+"\n\n"+toolSegment(ToolResult{Name: "localSearch", Content: e.tool}, blockTags))
	}
	for i, p := range e.attached {
		if !slices.Contains(e.attached[:i], p) {
			parts = append(parts, block(noteOf(p, files[p]), p == e.active))
		}
	}
	l.last = markedMessage(userMessage(parts, e.question))
	out := append([]Message{{Role: System, Content: instructions}}, l.history...)
	return append(out, l.last)
}

func (l *glued) addReply(e event) {
	l.length = len(l.history)
	visible, _, _ := SplitNote(e.reply)
	l.history = append(l.history, l.last, Message{Role: Assistant, Content: visible})
}

// bill is the sum of the costs of all sessions in a layout.
type bill struct {
	sent, cached, cost, least float64 // tokens; cost and least in uncached tokens
	turns                     int
	warm                      []float64 // uncached tokens of each warm turn
	stale                     int       // items that were not current, and nothing said so
	priceOnly                 bool      // do not look for what is stale
}

// uncached returns the number of tokens that no cache had.
func (b bill) uncached() float64 { return b.sent - b.cached }

// converse runs one session, and calls each with the request of every turn and its usage of the
// cache.
func converse(s session, l player, p price,
	each func(e event, files map[string]string, msgs []Message, cold bool, got usage),
) {
	files := maps.Clone(s.files)
	cache := cacheModel{price: p}
	for i, e := range s.events {
		maps.Copy(files, e.edits)
		cold := i > 0 && e.gap > p.life
		msgs := l.request(e, files, cold)
		each(e, files, msgs, cold || i == 0, cache.send(msgs, cold))
		l.addReply(e)
		cache.addReply(e.reply)
	}
}

// play runs one session and adds its costs to the bill.
func (b *bill) play(s session, l player, p price) {
	least := ideal{base: len(instructions), known: map[string]string{}}
	converse(s, l, p, func(e event, files map[string]string, msgs []Message, cold bool, got usage) {
		b.sent += got.total
		b.cached += got.cached
		b.cost += got.cached*p.Read + got.written*p.Write + got.total - got.cached - got.written
		b.least += least.send(e, files, cold, p)
		b.turns++
		if !cold {
			b.warm = append(b.warm, got.total-got.cached)
		}
		if b.priceOnly {
			return
		}
		for name, seen := range read(msgs).beliefs {
			if seen.state == "current" && seen.content != escapeBody(CanonicalText(files[name]), "content", "diff") {
				b.stale++
			}
		}
	})
}

// ideal is the lower bound of the costs: every distinct byte is sent uncached once in the life
// of a cache, without other words, and everything before it comes from the cache. A change
// costs its diff, and outdated text is never sent after the cache has expired.
type ideal struct {
	base    int // bytes of instructions
	known   map[string]string
	history int // bytes of questions and answers
	updates int // bytes of updates since the cache was lost
	reply   int // of the turn before, not sent yet
}

func (l *ideal) send(e event, files map[string]string, cold bool, p price) float64 {
	fresh := l.reply
	if e.again {
		fresh = 0
	} else {
		fresh += len(e.question)
		l.history += l.reply + len(e.question)
	}
	for _, path := range e.attached {
		now := CanonicalText(files[path])
		was, known := l.known[path]
		l.known[path] = now
		switch {
		case !known:
			fresh += len(now)
		case was != now:
			n := min(len(now), len(udiff.Unified("", "", was, now)))
			fresh += n
			l.updates += n
		}
	}
	if cold {
		l.updates = 0
	}
	all := l.base + l.history + l.updates
	for _, text := range l.known {
		all += len(text)
	}
	if cold {
		fresh = all
	}
	visible, _, _ := SplitNote(e.reply)
	l.reply = len(visible)
	return (float64(fresh+len(e.tool))*p.Write + float64(all-fresh)*p.Read) / 4
}

func (b *bill) percentile(q float64) float64 {
	s := slices.Sorted(slices.Values(b.warm))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

const sessions = 60 // of a group

// replay runs n sessions from a seed on, in one layout and with one price.
func (b *bill) replay(make func(Cache) player, p price, from, n uint64) *bill {
	for seed := range n {
		b.play(recordedSession(from+seed), make(p.Cache), p)
	}
	return b
}

// BenchmarkLayout runs conversations of 20 to 60 turns in each layout with the rules of each
// provider, simulates the caches, and prints a table:
//
//	go test -run xxx -bench Layout -benchtime 1x ./context/prompt
func BenchmarkLayout(b *testing.B) {
	var table strings.Builder
	table.WriteString("| provider | layout | cached | uncached per warm turn, p50 | p95 | cost per turn | × lower bound | silently stale |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range prices {
		for _, l := range layouts {
			var got *bill
			b.Run(p.name+"/"+l.name, func(b *testing.B) {
				for b.Loop() {
					got = (&bill{}).replay(l.make, p, 0, sessions)
				}
				b.ReportMetric(100*got.cached/got.sent, "%cached")
				b.ReportMetric(got.percentile(0.5), "p50-tokens")
				b.ReportMetric(got.percentile(0.95), "p95-tokens")
				b.ReportMetric(got.cost/got.least, "×lower-bound")
				b.ReportMetric(float64(got.stale), "stale")
			})
			if got == nil {
				continue // not asked for
			}
			fmt.Fprintf(&table, "| %s | %s | %.0f %% | %.0f | %.0f | %.0f | %.2f | %d |\n", p.name, l.name,
				100*got.cached/got.sent, got.percentile(0.5), got.percentile(0.95), got.cost/float64(got.turns),
				got.cost/got.least, got.stale)
		}
	}
	fmt.Printf("\nTokens are bytes/4; cost counts an uncached token as one. %d conversations.\n\n%s\n", sessions,
		table.String())
}

// targets are the highest costs of the default layout, relative to the lower bound.
var targets = map[string]float64{"OpenAI ≤ 5.5": 1.14, "GPT-5.6+": 1.15, "Anthropic": 1.10, "DeepSeek V4": 1.22}

// BenchmarkLayoutGroups runs ten groups of conversations in the default layout: no group may
// cost more than the target.
func BenchmarkLayoutGroups(b *testing.B) {
	for _, p := range prices {
		b.Run(p.name, func(b *testing.B) {
			worst := 0.0
			for b.Loop() {
				for group := range uint64(10) {
					got := (&bill{priceOnly: true}).replay(layouts[0].make, p, group*sessions, sessions)
					worst = max(worst, got.cost/got.least)
				}
			}
			b.ReportMetric(worst, "×lower-bound")
			if worst > targets[p.name] {
				b.Errorf("%.3f × the lower bound, at most %.2f", worst, targets[p.name])
			}
		})
	}
}

// TestLayoutTargets checks the targets of the default layout with fewer conversations.
func TestLayoutTargets(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	const some = 12
	for _, p := range prices {
		auto := (&bill{}).replay(layouts[0].make, p, 0, some)
		older := (&bill{priceOnly: true}).replay(layouts[3].make, p, 0, some)
		for _, c := range []struct {
			what string
			got  float64
			most float64
		}{
			{"× lower bound", auto.cost / auto.least, targets[p.name]},
			{"× the library in the system message", auto.cost / older.cost, 0.65},
			{"uncached tokens of a warm turn, p95", auto.percentile(0.95), 6000},
			{"silently stale items", float64(auto.stale), 0},
		} {
			t.Logf("%s, %s: %.3f", p.name, c.what, c.got)
			if c.got > c.most {
				t.Errorf("%s, %s: %.3f, at most %.2f", p.name, c.what, c.got, c.most)
			}
		}
	}
}

// searching returns the conversation with six of ten turns that search twice, and find about
// 3,000 tokens each time.
func searching(s session, seed uint64) session {
	r := rand.New(rand.NewPCG(seed, 6))
	s.events = slices.Clone(s.events)
	for i := range s.events {
		e := &s.events[i]
		switch {
		case e.again:
			e.tool = s.events[i-1].tool
		case r.IntN(10) < 6:
			e.tool = prose(r, 12000) + "\n\n" + prose(r, 12000)
		default:
			e.tool = ""
		}
	}
	return s
}

// without returns the conversation without searches.
func without(s session) session {
	s.events = slices.Clone(s.events)
	for i := range s.events {
		s.events[i].tool = ""
	}
	return s
}

// heaviest returns the tokens of the largest request of a conversation.
func heaviest(s session, l player, p price) (most float64) {
	converse(s, l, p, func(_ event, _ map[string]string, _ []Message, _ bool, got usage) { most = max(most, got.total) })
	return most
}

// playSearches runs n conversations with searches, and returns their costs and the highest ratio of
// the largest request to the largest one without searches.
func playSearches(make func(Cache) player, p price, n uint64) (b bill, larger float64) {
	b.priceOnly = true
	for seed := range n {
		s := searching(recordedSession(seed), seed)
		b.play(s, make(p.Cache), p)
		larger = max(larger, heaviest(s, make(p.Cache), p)/heaviest(without(s), make(p.Cache), p))
	}
	return b, larger
}

// BenchmarkLayoutSearching prints the costs of searches in each layout, and the uncached tokens
// that are saved compared with notes in front of each message.
func BenchmarkLayoutSearching(b *testing.B) {
	for _, p := range prices {
		glued := sync.OnceValue(func() bill {
			got, _ := playSearches(layouts[len(layouts)-1].make, p, sessions)
			return got
		})
		for _, l := range layouts[:3] {
			b.Run(p.name+"/"+l.name, func(b *testing.B) {
				var got bill
				var larger float64
				for b.Loop() {
					got, larger = playSearches(l.make, p, sessions)
				}
				b.ReportMetric(100*got.cached/got.sent, "%cached")
				b.ReportMetric(got.cost/got.least, "×lower-bound")
				b.ReportMetric(larger, "×without-tools")
				b.ReportMetric(100*(1-got.uncached()/glued().uncached()), "%fewer-uncached")
			})
		}
	}
}

// TestLayoutSearching: the output of a search costs little more than its own bytes, and is not
// in later turns.
func TestLayoutSearching(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for _, p := range prices {
		got, larger := playSearches(layouts[0].make, p, 6)
		t.Logf("%s: %.3f × the lower bound, the largest prompt %.2f × that without", p.name, got.cost/got.least, larger)
		if got.cost > 1.2*got.least || larger > 3 {
			t.Errorf("%s: %.3f × the lower bound, at most 1.2; the largest prompt %.2f × that without, at most 3",
				p.name, got.cost/got.least, larger)
		}
	}
}
