package index_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ibid/vault/index"
)

// question is a question that a note of the shared data answers.
type question struct {
	Vault, Half, Kind, Q string
	Answers              []struct{ Path string }
	Fact                 []string // one of these must stand in what is sent
}

// answerScore is the result of questions: their number, the number of those with their note among
// the first twelve, the sums of its reciprocal rank and gain, and the number of those with the
// fact in the passages.
type answerScore struct {
	n, found, facts int
	mrr, ndcg       float64
}

func (a answerScore) String() string {
	n := float64(max(a.n, 1))
	return fmt.Sprintf("%d questions: among the first 12 %.3f, MRR %.3f, nDCG@10 %.3f, fact in what is sent %d", a.n, float64(a.found)/n, a.mrr/n, a.ndcg/n, a.facts)
}

func (a *answerScore) add(b *answerScore) {
	a.n, a.found, a.facts = a.n+b.n, a.found+b.found, a.facts+b.facts
	a.mrr, a.ndcg = a.mrr+b.mrr, a.ndcg+b.ndcg
}

// ask searches for one question and adds its result.
func (a *answerScore) ask(t *testing.T, s index.Searcher, q *question) {
	a.n++
	for i, h := range search(t, s, index.Query{Text: q.Q, Limit: 12}) {
		if slices.ContainsFunc(q.Answers, func(a struct{ Path string }) bool { return a.Path == string(h.Path) }) {
			a.found++
			a.mrr += 1 / float64(i+1)
			if i < 10 {
				a.ndcg += 1 / math.Log2(float64(i+2))
			}
			break
		}
	}
	found, err := s.Passages(t.Context(), index.Query{Text: q.Q})
	check(t, err)
	sent := ""
	for _, p := range found.List {
		sent += p.Text + "\n"
	}
	if slices.ContainsFunc(q.Fact, func(f string) bool { return strings.Contains(sent, f) }) {
		a.facts++
	}
}

// TestAnswers measures the answers to questions about the shared vaults.
func TestAnswers(t *testing.T) {
	vaults := judgedVaults(t)
	if vaults["garden"] == nil {
		t.Skip("no shared data")
	}
	data, err := os.ReadFile(filepath.Join("testdata", "quality", "questions.json"))
	check(t, err)
	var file struct{ Questions []question }
	check(t, json.Unmarshal(data, &file))
	ways := map[string]index.Searcher{
		"kepano":           {Source: vaults["kepano"], Index: synced(t, vaults["kepano"])},
		"knowledge-garden": {Source: vaults["garden"], Index: synced(t, vaults["garden"])},
	}
	var all answerScore
	parts := map[string]*answerScore{"open": {}, "sealed": {}, "other": {}}
	for i := range file.Questions {
		q := &file.Questions[i]
		var one answerScore
		one.ask(t, ways[q.Vault], q)
		for _, a := range []*answerScore{&all, parts[q.Half], parts[q.Kind]} {
			if a != nil {
				a.add(&one)
			}
		}
	}
	parts["all"] = &all
	for name, least := range map[string]struct {
		found, mrr, ndcg float64
		facts            int
	}{
		"all":    {0.96, 0.84, 0.87, 58},
		"open":   {0.96, 0.87, 0.90, 30},
		"sealed": {0.93, 0.78, 0.80, 27},
		"other":  {0.89, 0.61, 0.66, 17},
	} {
		a := parts[name]
		t.Logf("shared: %s: %v", name, a)
		n := float64(max(a.n, 1))
		if float64(a.found)/n < least.found || a.mrr/n < least.mrr || a.ndcg/n < least.ndcg || a.facts < least.facts {
			t.Errorf("%s: %v; at least %+v", name, a, least)
		}
	}
}
