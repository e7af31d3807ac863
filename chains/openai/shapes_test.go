package openai_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ibid/chains/openai"
	"ibid/chains/wire"
)

// TestReplies reads the replies of testdata/replies.txt, each at once and in pieces: in
// every shape in which servers are known to answer, to send calls (S0-59), to report
// tokens (S0-39) and to say what went wrong.
func TestReplies(t *testing.T) {
	data, err := os.ReadFile("testdata/replies.txt")
	check(t, err)
	for _, block := range strings.Split(string(data), "\n=== ")[1:] {
		name, text, _ := strings.Cut(block, "\n")
		a, o, want := answer{header: map[string]string{}}, openai.Options{}, ""
		for line := range strings.Lines(text) {
			switch mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); mark {
			case "|":
				a.body += rest + "\n"
			case ">":
				s, err := strconv.Unquote(rest)
				if err != nil {
					t.Fatalf("%s: %s: %v", name, rest, err)
				}
				a.body += s
			case "status":
				a.status, _ = strconv.Atoi(rest)
			case "header":
				key, value, _ := strings.Cut(rest, ": ")
				a.header[key] = value
			case "protocol":
				o.Protocol = openai.Protocol(rest)
			case "":
			default:
				want += line
			}
		}
		for _, piece := range []int{0, 7} {
			a, o := a, o
			a.piece = piece
			t.Run(fmt.Sprint(name, "/", piece), func(t *testing.T) {
				t.Parallel()
				o.Options = wire.Options{
					BaseURL: newServer(t, a).url, Name: "somewhere", Key: "key-for-tests",
					KeySource: "env TEST_KEY",
				}
				if got := ask(t, newClient(t, o)).String(); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			})
		}
	}
}

// String returns the outcome in lines, without its empty parts.
func (o outcome) String() string {
	var b strings.Builder
	add := func(name string, value any) {
		if value != "" && value != `""` {
			fmt.Fprintln(&b, name, value)
		}
	}
	add("text", strconv.Quote(o.Text))
	add("thought", strconv.Quote(o.Reasoning))
	for _, c := range o.Calls {
		add("call", strings.TrimSpace(c.ID+" "+c.Name)+" "+c.Arguments)
	}
	if o.Usage != nil {
		add("usage", fmt.Sprintf("%+v", *o.Usage))
	}
	add("finish", string(o.Finish))
	if e := wire.ErrorOf(o.Err); o.Err != nil {
		add("error", fmt.Sprintf("%s, %d tokens: %s", e.Kind, e.Window, e.Message))
	}
	return b.String()
}
