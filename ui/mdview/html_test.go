package mdview_test

import (
	"regexp"
	"strings"
	"testing"

	"ibid/ui/mdview"
)

func TestHTML(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"a\nb **c**", "<p>a<br>\nb <strong>c</strong></p>\n"},
		{
			"x <b onclick=1>y</b> <script>alert(1)</script>",
			"<p>x &lt;b onclick=1&gt;y&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		},
		{
			"<div onload='x'>\nhi &amp; <b>\n</div>\n\nafter",
			"<p>&lt;div onload='x'&gt;<br>\nhi &amp; &lt;b&gt;<br>\n&lt;/div&gt;</p>\n<p>after</p>\n",
		},
		{"List<T>\n\n<script>\nlet x\n</script>", "<p>List&lt;T&gt;</p>\n<p>&lt;script&gt;<br>\nlet x<br>\n&lt;/script&gt;</p>\n"},
		{"see [[Garden plan#Beds|the <beds>]], ![[pear.png]]", "<p>see [[Garden plan#Beds|the &lt;beds&gt;]], ![[pear.png]]</p>\n"},
		{"`[[code]]`", "<p><code>[[code]]</code></p>\n"},
		{"![a *pear*](https://example.com/p.png \"t\") ![](x.png)", "<p>a <em>pear</em> </p>\n"},
		{
			"[web](https://example.com/?a=1&b=\"2\") [bad](javascript:alert(1)) [note](Notes/a.md)",
			"<p><a href=\"https://example.com/?a=1&amp;b=%222%22\">web</a> <a href=\"\">bad</a> <a href=\"Notes/a.md\">note</a></p>\n",
		},
		{
			"https://example.com/a?b&c a@b.example <vbscript:x>",
			"<p><a href=\"https://example.com/a?b&amp;c\">https://example.com/a?b&amp;c</a> <a href=\"mailto:a@b.example\">a@b.example</a> <a href=\"\">vbscript:x</a></p>\n",
		},
		{"> [!note] Mind <this>\n> body", "<blockquote>\n<p>[!note] Mind &lt;this&gt;<br>\nbody</p>\n</blockquote>\n"},
		{"> plain", "<blockquote>\n<p>plain</p>\n</blockquote>\n"},
		{"```go\nif a < b {}\n```", "<pre><code class=\"language-go\">if a &lt; b {}\n</code></pre>\n"},
		{"- [x] done", "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n"},
		{"bell \x1b]8;;https://x\a here &#27;", "<p>bell ␛]8;;https://x␇ here ␛</p>\n"},
	} {
		if got := mdview.HTML(tc.text, ""); got != tc.want {
			t.Errorf("%q is\n%q, want\n%q", tc.text, got, tc.want)
		}
	}
}

// loads matches what would fetch or run something, within the tags of a text: no text may become that.
var (
	loads = regexp.MustCompile(`(?i)^<(script|img|iframe|object|embed|link|style|svg|video|audio|form|base|meta)\b|` +
		` (on\w+|src|srcset|action)\s*=|href="(?:javascript|data|file|vbscript):`)
	tag   = regexp.MustCompile(`<[^>]*>`)
	title = regexp.MustCompile(` title="[^"]*"`)
)

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<script>x</script>", "[a](javascript:x)", "![a](https://x)", "<a href='data:x'>",
		"| a | b |\n|---|:-:|\n| <img src=x> | [[x\\|<y>]] |", "[a]: javascript:x\n\n[a]", "<JavaScript:x>",
		"&lt;script&gt;", "```<script>\n```", "[^1]: <img src=x>",
		"<details onclick=x><summary><img src=x></summary><script>x</script>\n</details>",
		"\"onclick=\"x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tag := range tag.FindAllString(mdview.HTML(text, "1-"), -1) {
			if got := loads.FindString(title.ReplaceAllString(tag, "")); got != "" && !strings.HasPrefix(tag, "<input ") {
				t.Errorf("%q became %q, of\n%s", text, got, mdview.HTML(text, "1-"))
			}
		}
	})
}
