package tool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// outcomes say what became of questions to the offline model.
type outcomes struct {
	answered, quotedOther, refused int // that a note answers
	silent, quoted                 int // that none answers
}

func (o *outcomes) add(t *testing.T, a testQuestion, reply string) {
	lead, _, _ := strings.Cut(reply, "\n\n")
	silent := strings.HasSuffix(lead, "No note matches.") || strings.Contains(lead, "answers that.")
	switch says := a.hasFact(reply); {
	case len(a.facts) == 0 && silent:
		o.silent++
		return
	case len(a.facts) == 0:
		o.quoted++
	case silent:
		o.refused++
	case says:
		o.answered++
		return
	default:
		o.quotedOther++
	}
	if testing.Verbose() {
		t.Logf("%s: %s\nwant %q\n%s", a.kind, a.question, a.facts, reply)
	}
}

// The offline model quotes what answers a question, and says so where nothing does,
// though the topic or some of the words are there: of the passages that a search
// found, and of all notes, attached.
func TestHousehold(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("testdata/answers/household.txtar"))
	check(t, err)
	v := vaulttest.New(t, string(data))
	session := vaultSession(t, v)
	var notes []prompt.Item
	for _, n := range v.Notes() {
		text := value(v.Read(n.Path))(t)
		notes = append(notes,
			prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: string(n.Path)}, n.Title, string(n.Path), text.Content))
	}
	model := offline.New(offline.Options{})
	var found, attached outcomes
	for _, q := range readQuestions(t, "household") {
		if len(q.facts) > 0 && !q.hasFact(string(data)) {
			t.Errorf("no note answers %q", q.question)
		}
		found.add(t, q, q.put(t, session).reply)
		var reply strings.Builder
		for d, err := range model.Stream(t.Context(), chains.Request{Question: q.question, Documents: notes}) {
			check(t, err)
			reply.WriteString(d.Text)
		}
		attached.add(t, q, reply.String())
	}
	for name, o := range map[string]outcomes{"found": found, "attached": attached} {
		t.Logf("%s: %+v", name, o)
		if o.answered < 108 || o.quoted > 22 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
