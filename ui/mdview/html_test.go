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
			"<pre>&lt;div onload='x'&gt;\nhi &amp;amp; &lt;b&gt;\n&lt;/div&gt;\n</pre>\n<p>after</p>\n",
		},
		{"<script>\nlet x\n</script>", "<pre>&lt;script&gt;\nlet x\n&lt;/script&gt;</pre>\n"},
		{
			"see [[Garden plan#Beds|the <beds>]], ![[pear.png]] or [[A & B]].",
			"<p>see <span class=\"wikilink\">the &lt;beds&gt;</span>, <span class=\"wikilink\">pear.png</span> or <span class=\"wikilink\">A &amp; B</span>.</p>\n",
		},
		{"`[[code]]`", "<p><code>[[code]]</code></p>\n"},
		{
			"![a *pear*](https://example.com/p.png \"t\") ![](x.png)",
			"<p><span class=\"image\">a <em>pear</em></span> <span class=\"image\"></span></p>\n",
		},
		{
			"[web](https://example.com/?a=1&b=\"2\") [bad](javascript:alert(1)) [note](Notes/a.md)",
			"<p><a href=\"https://example.com/?a=1&amp;b=%222%22\">web</a> <span class=\"wikilink\">bad</span> <span class=\"wikilink\">note</span></p>\n",
		},
		{
			"https://example.com/a?b&c a@b.example <vbscript:x>",
			"<p><a href=\"https://example.com/a?b&amp;c\">https://example.com/a?b&amp;c</a> <a href=\"mailto:a@b.example\">a@b.example</a> <span class=\"wikilink\">vbscript:x</span></p>\n",
		},
		{"> [!note] Mind <this>\n> body", "<blockquote>\n<p><strong>NOTE Mind &lt;this&gt;</strong></p>\n<p>body</p>\n</blockquote>\n"},
		{"> plain", "<blockquote>\n<p>plain</p>\n</blockquote>\n"},
		{"```go\nif a < b {}\n```", "<pre><code class=\"language-go\">if a &lt; b {}\n</code></pre>\n"},
		{"- [x] done", "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n"},
		{
			"<details open><summary>A</summary>\n\n- x <img>\n\n</details>",
			"<pre>&lt;details open&gt;&lt;summary&gt;A&lt;/summary&gt;\n</pre>\n<ul>\n<li>x &lt;img&gt;</li>\n</ul>\n" +
				"<pre>&lt;/details&gt;</pre>\n",
		},
		{"bell \x1b]8;;https://x\a here &#27;", "<p>bell ␛]8;;https://x␇ here ␛</p>\n"},
	} {
		if got := mdview.HTML(tc.text); got != tc.want {
			t.Errorf("%q is\n%q, want\n%q", tc.text, got, tc.want)
		}
	}
}

// loads matches what would fetch or run something: no text may become that.
var loads = regexp.MustCompile(`(?i)<(script|img|iframe|object|embed|link|style|svg|video|audio|form|base|meta)\b|<[^>]* (on\w+|src|srcset|action)\s*=|href="(?:javascript|data|file|vbscript):`)

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
		if got := loads.FindString(mdview.HTML(text)); got != "" && !strings.HasPrefix(got, "<input ") {
			t.Errorf("%q became %q, of\n%s", text, got, mdview.HTML(text))
		}
	})
}
