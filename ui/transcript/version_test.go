package transcript

import "testing"

// TestVersion holds that whoever compares versions misses no change of what is said.
func TestVersion(t *testing.T) {
	tr := New(Options{})
	tr.SetSize(40, 10)
	var s *Stream
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"append", func() { tr.Append(Message{ID: "1", Role: You, Text: "How?"}) }},
		{"append a reply", func() { tr.Append(Message{ID: "2", Role: Assistant, Status: Streaming}) }},
		{"text", func() { s, _ = tr.Stream("2"); s.AppendText("Thus.") }},
		{"more text", func() { s.AppendText(" Or so.") }},
		{"reasoning", func() { s.AppendReasoning("hm") }},
		{"finish", func() { s.Finish(Complete) }},
		{"update", func() { tr.Update(Message{ID: "2", Role: Assistant, Text: "Otherwise."}) }},
		{"truncate", func() { tr.Truncate("2") }},
		{"reset", func() { tr.Reset(nil) }},
	} {
		before := Version(tr)
		if tr.View(); Version(tr) != before {
			t.Errorf("%s: drawing changes the version", step.name)
		}
		if step.do(); Version(tr) == before {
			t.Errorf("%s: the version stays", step.name)
		}
	}
}
