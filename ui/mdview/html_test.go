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
		{
			"see [[Garden plan#Beds|the <beds>]], ![[pear.png]] or [[A & B]].",
			"<p>see <span class=\"wikilink\">the &lt;beds&gt;</span>, <span class=\"wikilink\">pear.png</span> or " +
				"<span class=\"wikilink\">A &amp; B</span>.</p>\n",
		},
		{"==one *<b>* two== and a == b", "<p><mark>one <em>&lt;b&gt;</em> two</mark> and a == b</p>\n"},
		{
			"$a<b^2$, \\(x_1\\) and $5\n\n$$\n<b>\n$$",
			"<p><code class=\"math\">a&lt;b^2</code>, <code class=\"math\">x_1</code> and $5</p>\n" +
				"<pre><code class=\"math\">&lt;b&gt;\n</code></pre>\n",
		},
		{"a %%<b>%% c\n\n%%\nhidden\n%%\n\n#tag 100%%", "<p>a c</p>\n<p>#tag 100%%</p>\n"},
		{"%%\nopen <b>", "<pre>%%\nopen &lt;b&gt;</pre>\n"},
		{
			"a[^1] b[^2]\n\n[^1]: <b> [[A|c]]",
			"<p>a<sup id=\"fnref:1\"><a href=\"#fn:1\" class=\"footnote-ref\" role=\"doc-noteref\">1</a></sup> b[^2]</p>\n" +
				"<div class=\"footnotes\" role=\"doc-endnotes\">\n<hr>\n<ol>\n<li id=\"fn:1\">\n" +
				"<p>&lt;b&gt; <span class=\"wikilink\">c</span>&#160;<a href=\"#fnref:1\" class=\"footnote-backref\" " +
				"role=\"doc-backlink\">&#x21a9;&#xfe0e;</a></p>\n</li>\n</ol>\n</div>\n",
		},
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
		{"> [!note] Mind <this>\n> body", "<blockquote>\n<p><strong>NOTE Mind &lt;this&gt;</strong></p>\n<p>body</p>\n</blockquote>\n"},
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
		"&lt;script&gt;", "```<script>\n```", "[^1]: <img src=x>", "$<img>$ ==<svg>== [[<img>]] #<b>",
		"> [!note] <img>", "$$\n<img src=x>\n$$", "%%\n<img src=x>", "\\(<img src=x^1>\\)",
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
