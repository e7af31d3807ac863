package transcript

import "testing"

// TestVersion: the version changes with every change of the messages, and stays the same while
// a message is written or drawn, or its sign changes.
func TestVersion(t *testing.T) {
	tr := New(Options{})
	tr.SetSize(40, 10)
	var s *Stream
	for _, step := range []struct {
		name  string
		do    func()
		stays bool
	}{
		{"append", func() { tr.Append(Message{ID: "1", Role: You, Text: "How?"}) }, false},
		{"append a reply", func() { tr.Append(Message{ID: "2", Role: Assistant, Status: Streaming}) }, false},
		{"text", func() { s, _ = tr.Stream("2"); s.AppendText("Thus.") }, true},
		{"more text", func() { s.AppendText(" Or so.") }, true},
		{"the sign", func() { tr.Tick() }, true},
		{"reasoning", func() { s.AppendReasoning("hm") }, true},
		{"finish", func() { s.Finish(Complete) }, false},
		{"update", func() { tr.Update(Message{ID: "2", Role: Assistant, Text: "Otherwise."}) }, false},
		{"truncate", func() { tr.Truncate("2") }, false},
		{"reset", func() { tr.Reset(nil) }, false},
	} {
		before := Version(tr)
		if tr.View(); Version(tr) != before {
			t.Errorf("%s: drawing changes the version", step.name)
		}
		if step.do(); (Version(tr) == before) != step.stays {
			t.Errorf("%s: the version was %d and is %d", step.name, before, Version(tr))
		}
	}
}
