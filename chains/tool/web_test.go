package tool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/context/gather"
)

// webTool returns a function that runs a tool of the web.
func webTool(t *testing.T, w tool.Web, name string) func(args string) chains.ToolOutput {
	t.Helper()
	tools := tool.New(tool.Options{Web: w})
	i := slices.IndexFunc(tools, func(t chains.Tool) bool { return t.Spec().Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return func(args string) chains.ToolOutput {
		t.Helper()
		out := value(chains.RunTool(t.Context(), tools[i], args))(t)
		if strings.ContainsAny(out.Note, "\x1b\a\n\u009b") || len([]rune(out.Note)) > 120 || out.Note == "" &&
			!strings.Contains(out.Text, "not run") {
			t.Errorf("the note is %q", out.Note)
		}
		return out
	}
}

// TestWebIsConfigured: a tool of the web exists only if it is configured, and it needs
// approval.
func TestWebIsConfigured(t *testing.T) {
	for _, tt := range []struct {
		web  tool.Web
		want string
	}{
		{tool.Web{}, ""},
		{tool.Web{Search: "http://127.0.0.1:8888"}, "webSearch"},
		{tool.Web{Fetch: true}, "fetchUrl"},
		{tool.Web{Search: "http://127.0.0.1:8888", Fetch: true}, "fetchUrl webSearch"},
	} {
		var names []string
		for _, each := range tool.New(tool.Options{Web: tt.web}) {
			if spec := each.Spec(); spec.Ask != "" {
				names = append(names, spec.Name)
			}
		}
		is(t, strings.Join(names, " "), tt.want, tt.web)
	}
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8888":                 true,
		"https://search.example/searxng/search": true, "search.example": false, "ftp://x": false, "http://": false,
		"": false,
	} {
		if err := tool.CheckSearch(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A search gives pages to cite, without what a terminal would obey.
func TestWebSearch(t *testing.T) {
	answers := map[string]string{
		"slate roofs": `{"query":"slate roofs","results":[
			{"url":"https://roofs.example/slate#top","title":"Slate \u001b[31mroofs","content":"They last.\nA century.","publishedDate":"2024-05-06T07:08:09"},
			{"url":"javascript:alert(1)","title":"bad"},{"url":"file:///etc/passwd","title":"bad"},{"url":"","title":"bad"},
			{"url":"http://user:pw@other.example/a","title":"","content":"` + strings.Repeat("x", 3000) + `","publishedDate":"soon"},
			{"url":"https://third.example/","title":"Third","content":"3"}],"answers":[]}`,
		"nothing": `{"results":[]}`,
		"html":    `<html>no</html>`,
	}
	var asked []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		asked = append(asked, r.URL.Path+" "+q.Get("language")+" "+q.Get("q"))
		switch {
		case q.Get("format") != "json" || q.Get("q") == "forbidden":
			w.WriteHeader(http.StatusForbidden)
		case q.Get("q") == "elsewhere":
			http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusFound)
		}
		_, _ = w.Write([]byte(answers[q.Get("q")]))
	}))
	defer web.Close()
	run := webTool(t, tool.Web{Search: web.URL + "/sx/?language=de"}, "webSearch")
	out := run(`{"query":" slate\nroofs ","limit":2}`)
	text := out.Result("webSearch").Text(nil)
	for _, want := range []string{
		`<webSearch query="slate roofs">`, "<title>Slate [31mroofs</title>",
		"<path>https://roofs.example/slate</path>", "<modified>2024-05-06</modified>", "They last. A century.",
		"<path>http://other.example/a</path>", "[^1]: [roofs.example/slate](https://roofs.example/slate)",
		"[^2]: [other.example/a](http://other.example/a)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if len(out.Documents) != 2 || len(out.Documents[1].Content) > 1010 ||
		out.Note != "2 pages: roofs.example, other.example" {
		t.Errorf("%d documents, %q", len(out.Documents), out.Note)
	}
	is(t, asked[0], "/sx/search de slate roofs", asked)
	for args, want := range map[string]string{
		`{"query":"nothing"}`:               "No page matches.",
		`{"query":"html"}`:                  "does not answer in JSON; it must allow the format json",
		`{"query":"forbidden"}`:             "answered 403 Forbidden; it must allow the format json",
		`{"query":"elsewhere"}`:             "answered 302 Found",
		`{"query":""}`:                      "query: minLength",
		`{"query":"x","url":"http://x.de"}`: "url",
	} {
		if out := run(args); !strings.Contains(out.Text, want) {
			t.Errorf("%s: %s", args, out.Text)
		}
	}
	web.Close()
	if out := run(`{"query":"gone"}`); !strings.Contains(out.Text, "does not answer") {
		t.Error(out.Text)
	}
}

// A page comes as markdown, as long as it may be; without a client of its own the
// tool reaches public hosts only.
func TestFetchURL(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/pdf" {
			w.Header().Set("Content-Type", "application/pdf")
		}
		_, _ = fmt.Fprintf(w, "<html><title>A\x1b[2J page</title><h1>Roof</h1><p>%s</p>",
			strings.Repeat("Slate lasts. ", 100))
	}))
	defer web.Close()
	run := webTool(t, tool.Web{Fetch: true, Pages: gather.Fetcher{Client: web.Client()}}, "fetchUrl")
	out := run(`{"url":"` + web.URL + `/a#b","maxContentLength":100}`)
	want := `{"success":true,"data":{"url":"` + web.URL + `/a","title":"A [2J page","content":"# Roof\n\nSlate lasts. `
	if !strings.HasPrefix(out.Text, want) ||
		!strings.HasSuffix(out.Text, ` [Content truncated...]"},"message":"Page fetched"}`) ||
		out.Sources[0].Path != web.URL+"/a" {
		t.Errorf("%s\n%+v", out.Text, out.Sources)
	}
	for args, want := range map[string]string{
		`{"url":"` + web.URL + `/pdf"}`:                               "it is application/pdf",
		`{"url":"ftp://example.org/"}`:                                "no http or https address",
		`{"url":"file:///etc/passwd"}`:                                "no http or https address",
		`{"url":"https://me:pw@example.org/"}`:                        "no http or https address",
		`{"url":"` + web.URL + `/` + strings.Repeat("x", 2000) + `"}`: "url: maxLength",
	} {
		if out := run(args); !strings.Contains(out.Text, want) {
			t.Errorf("%.60s: %s", args, out.Text)
		}
	}
	public := webTool(t, tool.Web{Fetch: true}, "fetchUrl")
	if out := public(`{"url":"` + web.URL + `"}`); !strings.Contains(out.Text, "on this machine or in a private network") {
		t.Error(out.Text)
	}
}
