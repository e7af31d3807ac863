package syntax_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/vault/dates"
	"ibid/vault/index/syntax"
	"ibid/vault/vaulttest"
)

// now is a Wednesday.
var now = time.Date(2025, 8, 20, 15, 30, 0, 0, time.UTC)

var names = map[syntax.Op]string{
	syntax.And: "and", syntax.Or: "or", syntax.Not: "not", syntax.Path: "path", syntax.File: "file", syntax.Tag: "tag", syntax.Content: "content",
	syntax.Line: "line", syntax.Section: "section", syntax.Block: "block", syntax.Task: "task", syntax.TaskTodo: "todo", syntax.TaskDone: "done",
	syntax.MatchCase: "case", syntax.IgnoreCase: "nocase",
}

// tree writes a tree as one line.
func tree(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	parts := make([]string, len(n.List))
	for i, c := range n.List {
		parts[i] = tree(c)
	}
	list := strings.Join(parts, " ")
	switch n.Op {
	case syntax.Word:
		return n.Text
	case syntax.Phrase:
		return "'" + n.Text + "'"
	case syntax.Regex:
		return "/" + n.Text + "/"
	case syntax.Property:
		return strings.TrimSuffix("["+n.Text+":"+list, ":") + "]"
	case syntax.Date:
		day := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format("0102")
		}
		return "date(" + day(n.Range.From) + "-" + day(n.Range.Until) + ")"
	}
	return names[n.Op] + "(" + list + ")"
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want, told string }{
		{"", "", ""},
		{"apples", "apples", ""},
		{"apples pears", "and(apples pears)", ""},
		{"(apples pears) jam", "and(apples pears jam)", ""},
		{"apples AND pears", "and(apples pears)", ""},
		{"apples and or", "and(apples and or)", ""},
		{`"ripe apples" jam`, "and('ripe apples' jam)", ""},
		{`"say \"yes\" now"`, `'say "yes" now'`, ""},
		{"-pears", "not(pears)", ""},
		{`jam -"ripe apples" -(a b) -path:x`, "and(jam not('ripe apples') not(and(a b)) not(path(x)))", ""},
		{"a OR b", "or(a b)", ""},
		{"a b OR c d OR e", "or(and(a b) and(c d) e)", ""},
		{"(a OR b) c", "and(or(a b) c)", ""},
		{"a (b OR c)", "and(a or(b c))", ""},
		{"OR a OR OR b OR", "or(a b)", ""},
		{"ORANGE OR BORDER", "or(ORANGE BORDER)", ""},
		{"path:garden/2025", "path(garden/2025)", ""},
		{`Path:"my garden" FILE:plan`, "and(path('my garden') file(plan))", ""},
		{"file:(plan OR draft)", "file(or(plan draft))", ""},
		{"tag:#fruit/red -tag:old", "and(tag(#fruit/red) not(tag(old)))", ""},
		{"line:(a b) section:(c OR d) block:\"e f\"", "and(line(and(a b)) section(or(c d)) block('e f'))", ""},
		{"task:call task-todo:(call OR phone) task-done:\"\"", "and(task(call) todo(or(call phone)) done())", ""},
		{"line:(tag:x /a b/)", "line(and(tag(x) /a b/))", ""},
		{"content:jam match-case:Jam match-case:(a ignore-case:b)", "and(content(jam) case(Jam) case(and(a nocase(b))))", ""},
		{"[status]", "[status]", ""},
		{"[status:done] [due : 2025] [\"my key\":x]", "and([status:done] [due:2025] [my key:x])", ""},
		{"[status:open OR waiting] [status:-done] [n:<5]", "and([status:or(open waiting)] [status:not(done)] [n:<5])", ""},
		{"/a+b/ /\\d{4}-\\d\\d/", "and(/a+b/ /\\d{4}-\\d\\d/)", ""},
		{"/a\\/b c/", "/a/b c/", ""},
		{"path:/^a/", "path(/^a/)", ""},
		{"on:2025-08-01", "date(0801-0802)", ""},
		{"after:2025-08-01 before:2025-08-10", "and(date(0802-) date(-0810))", ""},
		{`on:"last week"`, "date(0811-0818)", ""},
		{"on:(last week) jam", "and(date(0811-0818) jam)", ""},
		{"on:last week jam", "and(date(0811-0818) jam)", ""},
		{"(on:last week) jam", "and(date(0811-0818) jam)", ""},
		{"on:last-week after:yesterday", "and(date(0811-0818) date(0820-))", ""},
		{"on:letzte Woche Rezept", "and(date(0811-0818) Rezept)", ""},
		{"on:上周", "date(0811-0818)", ""},

		// Text that only looks like an operator.
		{"localhost:8080", "localhost:8080", ""},
		{"10:30 a:b c:\\x", "and(10:30 a:b c:\\x)", ""},
		{"https://example.org/a?b=c", "https://example.org/a?b=c", ""},
		{"path://x file://y", "and(path://x file://y)", ""},
		{"re: plan", "and(re: plan)", ""},
		{"wikipedia:jam", "wikipedia:jam", ""},
		{"gpt-4 - a --flag", "and(gpt-4 a --flag)", ""},
		{"[[My Note]] [label](url) [ ] []", "and([[My Note]] [label](url))", ""},
		{"[[My Note|x]]", "[[My Note|x]]", ""},
		{"/usr/bin and /etc/", "and(/usr/bin and /etc/)", ""},
		{"and / or /x", "and(and or /x)", ""},
		{"f(x) (f(x) OR y)", "and(f(x) or(f(x) y))", ""},

		// What is not closed, or not complete.
		{"(a OR b", "or(a b)", ""},
		{"a) b)) c", "and(a) b)) c)", ""},
		{") ( ) (( a", "a", ""},
		{`"a b`, "and(a b)", ""},
		{`a "" b`, "and(a '' b)", ""},
		{"[a", "[a", ""},
		{"/a", "/a", ""},
		{"-", "", ""},
		{"-( )", "", ""},
		{`path: "📺 TV" jam`, "and(path('📺 TV') jam)", ""},
		{"path:📺 jam", "and(path('📺') jam)", ""},
		{`file:  (a b)`, "file(and(a b))", ""},
		{`path: /^a/`, "path(/^a/)", ""},
		{`jam path: x`, "and(jam x)", "path: is left out: nothing stands right behind it"},
		{"path:", "", "path: is left out: nothing stands right behind it"},
		{"tag:# jam", "jam", ""},
		{"on:someday jam", "jam", `on:someday is left out: that is no date; dates are such as 2025-08-20, yesterday or "last week"`},

		// Slips.
		{"paht:x jam", "jam", "paht:x is left out: there is no operator paht:, there is path:"},
		{`tags:"a b" jam`, "jam", `tags:"a b" is left out: there is no operator tags:, there is tag:`},
		{"taks-todo:(a b) jam", "jam", "taks-todo:(a b) is left out: there is no operator taks-todo:, there is task-todo:"},
		{"-lnie:x", "", "lnie:x is left out: there is no operator lnie:, there is line:"},
	} {
		q, err := syntax.Parse(c.text, now)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if got := tree(q.Root); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
		if got := strings.Join(q.Told, "; "); got != c.told {
			t.Errorf("%s tells %q, want %q", c.text, got, c.told)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"jam /(?=x)/":                        "/(?=x)/ is no regular expression of RE2: invalid or unsupported Perl syntax: (?=",
		"/(foo/":                             "/(foo/ is no regular expression of RE2: missing closing ): (foo",
		"[a:/(/]":                            "/(/ is no regular expression of RE2: missing closing ): ",
		"line:(/a{2000}/)":                   "/a{2000}/ is no regular expression of RE2: invalid repeat count: {2000}",
		strings.Repeat("(", 60):              "parentheses are nested more than 50 deep",
		strings.Repeat(`"a" `, 200):          "the query asks for more than 100 things",
		strings.Repeat("a OR ", 200):         "the query asks for more than 100 things",
		"line:(" + strings.Repeat("a ", 200): "the query asks for more than 100 things",
	} {
		q, err := syntax.Parse(text, now)
		if err == nil {
			t.Errorf("%.40s is read as %s", text, tree(q.Root))
		} else if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

// Flags of case reach the expressions inside.
func TestParseCase(t *testing.T) {
	for text, want := range map[string]bool{"/Jam/": true, "match-case:/Jam/": false, "match-case:(a ignore-case:/Jam/)": true} {
		q, err := syntax.Parse(text, now)
		if err != nil {
			t.Fatal(err)
		}
		n := q.Root
		for len(n.List) > 0 {
			n = n.List[len(n.List)-1]
		}
		if got := n.Expr.MatchString("jam"); got != want {
			t.Errorf("%s fits jam: %v", text, got)
		}
	}
}

// The time grows with the text, not faster, whatever is left open in it.
func TestParseIsLinear(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for _, part := range []string{"(", "((a) ", `"`, `\"`, "[", "[a:", "[a ", "/[", "/a ", `/\`, "-(", "a(", "path:", "on:last ", "tag:(", "OR ", "a OR ", "[[a", "é:", ") ", "lnie:( "} {
		vaulttest.Linear(t, 4_000, func(n int) {
			_, _ = syntax.Parse(strings.Repeat(part, n/len(part)), now)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`a "b c" -d OR (e f)`, "path:x file:/y/ tag:#z", "line:(a -b) [p:<3] [q]", "on:last week after:2025-01", "match-case:(A ignore-case:b)", "paht:x \xff", "task-todo:\"\"", "[[a]] [b](c) /d/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := syntax.Parse(text, now)
		if err != nil && strings.Contains(err.Error(), "\n") && !strings.Contains(text, "\n") {
			t.Errorf("%q: an error of several lines: %v", text, err)
		}
		var walk func(n *syntax.Node)
		walk = func(n *syntax.Node) {
			if n == nil || n.Op > syntax.IgnoreCase || (n.Op == syntax.Regex) != (n.Expr != nil) || n.Op == syntax.Not && len(n.List) != 1 {
				t.Fatalf("%q: a node that cannot be: %+v", text, n)
			}
			for _, c := range n.List {
				walk(c)
			}
		}
		if q.Root != nil && err == nil {
			walk(q.Root)
		}
	})
}

func ExampleParse() {
	q, err := syntax.Parse(`jam -"apple sauce" tga:fruit localhost:8080`, now)
	fmt.Println(len(q.Root.List), q.Told[0], err)
	r := dates.Range{From: now}
	fmt.Println(r.Contains(now))
	// Output:
	// 3 tga:fruit is left out: there is no operator tga:, there is tag: <nil>
	// true
}
