package tool_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// testQuestion is a question about notes, with the places of its answer and the facts of which an
// answer must have one.
type testQuestion struct {
	kind, question string
	places         []place
	facts          []string // one of them is enough
}

// place is the place of an answer: words of its sentence, in a note below a heading.
type place struct{ path, heading, words string }

// readQuestions reads a file of testdata/answers.
func readQuestions(t testing.TB, name string) []testQuestion {
	t.Helper()
	data := value(os.ReadFile(filepath.Join("testdata", "answers", name+".txt")))(t)
	var all []testQuestion
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if at, ok := strings.CutPrefix(line, "> "); ok {
			last := &all[len(all)-1]
			last.places = append(last.places, readPlace(at))
		} else if facts, ok := strings.CutPrefix(line, "= "); ok {
			all[len(all)-1].facts = strings.Split(facts, " / ")
		} else if line != "" && !strings.HasPrefix(line, "# ") {
			kind, question, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%s: %q is no question", name, line)
			}
			all = append(all, testQuestion{kind: kind, question: question})
		}
	}
	return all
}

func readPlace(text string) place {
	at, words, _ := strings.Cut(text, " | ")
	path, heading, _ := strings.Cut(at, "#")
	return place{path + ".md", heading, words}
}

// in reports whether a passage is from the place and has the words.
func (p place) in(it prompt.Item) bool {
	return it.Path == p.path && strings.Contains(it.Content, p.words)
}

// judgedVaults returns the vaults with questions, by the names of files in testdata/answers.
func judgedVaults(t testing.TB) map[string]*vault.Vault {
	t.Helper()
	m := map[string]*vault.Vault{}
	for name, archive := range map[string]string{
		"notes": "../../vault/index/testdata/quality/vault.txtar",
		"days":  "testdata/answers/days.txtar", "years": "testdata/answers/years.txtar",
	} {
		data := value(os.ReadFile(filepath.FromSlash(archive)))(t)
		m[name] = vaulttest.New(t, string(data))
	}
	for name, shared := range map[string]string{"garden": "knowledge-garden", "kepano": "kepano"} {
		dir := vaulttest.Shared(t, "vaults/"+shared)
		if dir == "" {
			continue
		}
		home := t.TempDir()
		check(t, os.CopyFS(home, os.DirFS(dir)))
		m[name] = vaulttest.Open(t, home, vault.Options{})
	}
	return m
}

// today returns the day of the questions, in the local time zone, since notes have dates.
func today() time.Time { return time.Date(2025, time.November, 20, 15, 0, 0, 0, time.Local) }

// vaultSession returns a function that makes sessions of the chain vault over v, with the tools
// that read it.
func vaultSession(t testing.TB, v *vault.Vault) func(chains.Model) *chains.Session {
	t.Helper()
	x := value(index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: t.Name()}))(t)
	t.Cleanup(func() { _ = x.Close() })
	check(t, x.Sync(t.Context(), v))
	s := index.Searcher{Source: v, Index: x}
	tools := vaultTools(v, s)
	return func(m chains.Model) *chains.Session {
		return chains.NewSession(chains.Options{
			Model: m, Gather: gather.New(v, gather.Options{}), Chain: chains.Vault{},
			Tools: chains.Toolbox{List: tools, Words: tool.Words}, Now: today,
		})
	}
}

// vaultTools returns the tools that read v.
func vaultTools(v *vault.Vault, s index.Searcher) []chains.Tool {
	return tool.New(tool.Options{Vault: v, Searcher: func(context.Context) index.Searcher { return s }, Now: today})
}

// recordingModel is a model that records the last request.
type recordingModel struct {
	chains.Model
	request chains.Request
}

func (o *recordingModel) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	o.request = r
	return o.Model.Stream(ctx, r)
}

// questionResult is the result of a question.
type questionResult struct {
	testQuestion
	passages []prompt.Item // that were sent
	ranks    []int         // of each place, 0 where none of the passages is from there
	reply    string
}

// put sends a question to a new session. A place counts if its words are in the request.
func (a testQuestion) put(t testing.TB, session func(chains.Model) *chains.Session) questionResult {
	t.Helper()
	m := &recordingModel{Model: offline.New(offline.Options{})}
	got := questionResult{testQuestion: a}
	for event, err := range session(m).Send(context.WithoutCancel(t.Context()), chains.Input{Text: a.question}) {
		check(t, err)
		if d, ok := event.(chains.TextDelta); ok {
			got.reply += d.Text
		}
	}
	sent := m.request.Messages[len(m.request.Messages)-1].Content
	for _, it := range m.request.Documents {
		if it.Source != nil {
			got.passages = append(got.passages, it)
		}
	}
	for _, p := range a.places {
		rank := 1 + slices.IndexFunc(got.passages, p.in)
		if !strings.Contains(sent, p.words) {
			rank = 0
		}
		got.ranks = append(got.ranks, rank)
	}
	return got
}

// first returns the rank of the best place, 0 if there is none.
func (a *questionResult) first() int {
	best := 0
	for _, r := range a.ranks {
		if r > 0 && (best == 0 || r < best) {
			best = r
		}
	}
	return best
}

// hasFact reports whether a text has one of the facts.
func (a testQuestion) hasFact(text string) bool {
	return slices.ContainsFunc(a.facts, func(f string) bool { return strings.Contains(text, f) })
}

// score is the quality of the answers to the questions about a vault, each measure from 0 to 1.
type score struct {
	recall float64 // places that are among the first 12 passages
	mrr    float64 // 1/rank of the first of them, if it is one of 10
	told   float64 // questions to which the offline model says the fact
}

func (s score) String() string {
	return fmt.Sprintf("recall@12 %.3f, MRR@10 %.3f, facts told %.3f", s.recall, s.mrr, s.told)
}

func rate(all []questionResult) (s score) {
	for _, a := range all {
		found := 0
		for _, r := range a.ranks {
			if r > 0 && r <= 12 {
				found++
			}
		}
		s.recall += float64(found) / float64(len(a.ranks)) / float64(len(all))
		if r := a.first(); r > 0 && r <= 10 {
			s.mrr += 1 / float64(r) / float64(len(all))
		}
		if a.hasFact(a.reply) {
			s.told += 1 / float64(len(all))
		}
	}
	return s
}

// TestAnswers: natural questions find the sentence with the answer, and the offline model
// quotes it. Questions about times find all notes of that time, and no others before them.
func TestAnswers(t *testing.T) {
	for name, v := range judgedVaults(t) {
		session := vaultSession(t, v)
		questions := readQuestions(t, name)
		var all []questionResult
		for _, q := range questions {
			a := q.put(t, session)
			all = append(all, a)
			if a.first() != 1 || !a.hasFact(a.reply) {
				t.Logf("%s: ranks %v, told %v: %s", name, a.ranks, a.hasFact(a.reply), a.question)
			}
			if name == "days" && slices.Max(a.ranks) > len(a.ranks) || name == "days" && slices.Contains(a.ranks, 0) {
				t.Errorf("%s: ranks %v in %s", a.question, a.ranks, paths(a.passages))
			}
		}
		for _, a := range all {
			if n := a.first(); name == "years" && (n == 0 || n > 2) {
				t.Errorf("%s: ranks %v in %s", a.question, a.ranks, paths(a.passages))
			}
		}
		s := rate(all)
		t.Logf("%s, %d questions: %v", name, len(all), s)
		if s.recall < 0.9 || s.mrr < 0.83 || s.told < 0.7 { // neighbours of the best take ranks too
			t.Errorf("%s: %v", name, s)
		}
		if name == "garden" || name == "kepano" {
			t.Logf("shared: %d questions about %s: %v", len(all), name, s)
		}
	}
}

// unanswerable are questions without an answer in the judged notes, though most of their words
// are there.
var unanswerable = []string{
	"What is the capital of Mongolia?", "When is Samuel's birthday?", "Where did I park the car?",
	"How much did the piano cost?",
	"Who painted the stairwell?", "What is the password of the router?", "Wann fährt der Zug nach München?",
	"Wie heißt der Hund der Nachbarn?",
	"林薇的电话号码是多少?", "Why did Tomás leave Porto?", "How many bees live in the garden hive?",
	"Where can I buy a new kitchen sink?",
	"Wer hat die Heizung repariert?", "What colour is the shed?", "Quel est le prix du billet pour Marseille ?",
}

// TestUnanswerable: for most questions without an answer the offline model says that there is
// none.
func TestUnanswerable(t *testing.T) {
	session := vaultSession(t, judgedVaults(t)["notes"])
	said := 0
	for _, q := range unanswerable {
		a := testQuestion{question: q}.put(t, session)
		if strings.HasPrefix(a.reply, "No note matches.") || strings.HasPrefix(a.reply, "None of the ") ||
			strings.HasPrefix(a.reply, "Nothing in ") {
			said++
		} else {
			t.Logf("%s\n%s", q, a.reply)
		}
	}
	if said < 11 {
		t.Errorf("only %d of %d are said to have no answer", said, len(unanswerable))
	}
}

// TestDemoAnswers: questions about the sample vault are answered from the section with the
// decision.
func TestDemoAnswers(t *testing.T) {
	home := t.TempDir()
	check(t, os.CopyFS(home, os.DirFS(filepath.FromSlash("../../ui/cli/demo"))))
	const proposed = "what did I decide about the greenhouse roof?"
	start, err := os.ReadFile(filepath.Join(home, "Start here.md"))
	if err != nil || !strings.Contains(string(start), proposed) {
		t.Fatalf("the first note does not propose %q: %v", proposed, err)
	}
	session := vaultSession(t, vaulttest.Open(t, home, vault.Options{}))
	for _, q := range []struct{ question, heading, said string }{
		{proposed, "Decisions", "because hail broke two panes last year."},
		{"when do the tomatoes go out?", "Tomatoes", "not before the middle of May."},
	} {
		a := testQuestion{question: q.question, places: []place{{"Projects/Garden plan.md", q.heading, q.said}}}.put(t, session)
		at := a.first() - 1
		if at < 0 {
			t.Fatalf("found in %s", paths(a.passages))
		}
		it := a.passages[at]
		before, _, _ := strings.Cut(a.reply, fmt.Sprintf(" [^%d]", it.Source.ID))
		if !strings.HasSuffix(before, q.said) || it.Source.Heading != q.heading {
			t.Errorf("cited as %+v\n%s", it.Source, a.reply)
		}
	}
}

func paths(passages []prompt.Item) string {
	var list []string
	for _, p := range passages {
		list = append(list, p.Path)
	}
	return strings.Join(list, ", ")
}

// TestAnswersExist: each place is in its vault.
func TestAnswersExist(t *testing.T) {
	for name, v := range judgedVaults(t) {
		for _, q := range readQuestions(t, name) {
			if len(q.places) == 0 || len(q.facts) == 0 {
				t.Errorf("%s: nothing answers %q", name, q.question)
			}
			for _, p := range q.places {
				text, err := v.Read(vault.Path(p.path))
				if err != nil || !strings.Contains(text.Content, p.words) || !strings.Contains(text.Content, p.heading) {
					t.Errorf("%s: %v is not there (%v)", name, p, err)
				}
			}
		}
	}
}

// BenchmarkAnswers reports the score of each vault, and measures the time of all its questions.
func BenchmarkAnswers(b *testing.B) {
	for name, v := range judgedVaults(b) {
		session := vaultSession(b, v)
		questions := readQuestions(b, name)
		b.Run(name, func(b *testing.B) {
			var all []questionResult
			for b.Loop() {
				all = all[:0]
				for _, q := range questions {
					all = append(all, q.put(b, session))
				}
			}
			s := rate(all)
			b.ReportMetric(s.recall, "recall@12")
			b.ReportMetric(s.mrr, "MRR@10")
			b.ReportMetric(s.told, "told")
		})
	}
}
