package chatview

import (
	"testing"

	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// TestCopy: what can be copied of a chat, without a desk and a vault.
func TestCopy(t *testing.T) {
	c := New(&Setup{Env: page.NewEnv(theme.Options{})}, nil, State{})
	for what, want := range map[string]page.Request{
		"":     page.Toast{Text: "there is no reply yet"},
		"code": page.Toast{Text: "there is no reply yet"},
		"all":  page.Toast{Text: "there is no reply yet"},
		"x":    page.Complain("/copy takes all, code or nothing, which is the last reply; not x"),
	} {
		if got := c.Copy(what); got != want {
			t.Errorf("of an empty chat %q is %#v", what, got)
		}
	}
	c.Transcript.Append(transcript.Message{ID: "m1", Role: transcript.You, Text: "how?"})
	c.Transcript.Append(transcript.Message{ID: "m2", Role: transcript.Assistant, Text: "So:\n\n```go\nrun()\n```"})
	for what, want := range map[string]string{
		"":     "So:\n\n```go\nrun()\n```",
		"code": "run()\n",
		"all":  "**user**: how?\n\n**assistant**: So:\n\n```go\nrun()\n```\n",
	} {
		if got, ok := c.Copy(what).(page.Copy); !ok || got.Text != want {
			t.Errorf("%q is %#v", what, c.Copy(what))
		}
	}
}
