package legible_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"ibid/vault/legible"
)

// randomBytes returns n bytes that are the same on each run.
func randomBytes(n int) []byte {
	r := rand.New(rand.NewPCG(11, 5))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// wrap breaks a text into lines of n characters.
func wrap(text string, n int) string {
	var b strings.Builder
	for len(text) > n {
		b.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return b.String() + text
}

func TestTextLeavesDataOut(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString(randomBytes(3000)) // 4,000 characters
	inHex := hex.EncodeToString(randomBytes(2000))
	svg := "data:image/svg+xml,%3Csvg" + strings.Repeat("%20d%3D%22M0%22", 200) + "%3E"
	excalidraw := "---\n\nexcalidraw-plugin: parsed\n\n---\nBack of the card\n\n# Excalidraw Data\n\n## Text Elements\nBoiler ^aB12\n\n" +
		"%%\n## Drawing\n```compressed-json\n" + strings.ReplaceAll(wrap(encoded, 256), "\n", "\n\n") + "\n```\n%%\n"
	tldraw := `{"meta":{"plugin-version":"1.2","tldraw-version":"3"},"raw":{"records":[` + strings.Repeat(`{"x":1.5,"y":2},`, 200) + `{}]}}`
	for name, c := range map[string]struct{ text, want string }{
		"base64 in a line":    {"a " + encoded + " b", "a [… 4 kB left out] b"},
		"wrapped base64":      {"a\n\n" + wrap(encoded, 76) + "\n\nb", "a\n\n[… 4 kB left out]\n\nb"},
		"quoted base64":       {"> " + strings.ReplaceAll(wrap(encoded, 64), "\n", "\n> ") + "\nb", "> [… 4 kB left out]\nb"},
		"base64url":           {base64.RawURLEncoding.EncodeToString(randomBytes(3000)), "[… 4 kB left out]"},
		"hex":                 {"sum: " + inHex, "sum: [… 4 kB left out]"},
		"wrapped hex":         {wrap(inHex, 80) + "\n", "[… 4 kB left out]\n"},
		"hex with blanks":     {strings.TrimSpace(wrap(spaced(inHex), 48)) + "\n\nend", "[… 6 kB left out]\n\nend"},
		"percent encoding":    {"see " + url.PathEscape(strings.Repeat("é ü;", 200)) + " so", "see [… 4 kB left out] so"},
		"a PGP message":       {"-----BEGIN PGP MESSAGE-----\n\n" + wrap(encoded, 64) + "\n=Xw3f\n-----END PGP MESSAGE-----", "-----BEGIN PGP MESSAGE-----\n\n[… 4 kB left out]\n=Xw3f\n-----END PGP MESSAGE-----"},
		"an encrypted block":  {"%%🔐β " + encoded + " 🔐%%", "%%🔐β [… 4 kB left out] 🔐%%"},
		"a drawing":           {excalidraw, excalidraw[:strings.Index(excalidraw, "%%\n## Drawing")] + "[… 4 kB left out]\n"},
		"a block of drawing":  {"```compressed-json\n" + wrap(encoded[:1200], 100) + "\n```\n" + strings.Repeat("x ", 800), "```compressed-json\n[… 1 kB left out]\n```\n" + strings.Repeat("x ", 800)},
		"JSON of a drawing":   {"```json\n{\n  \"type\": \"excalidraw\",\n" + strings.Repeat("  \"x\": 1,\n", 300) + "}\n```\nb", "```json\n[… 3 kB left out]\n```\nb"},
		"tldraw":              {"```json !!!_START_OF_TLDRAW_DATA__DO_NOT_CHANGE_THIS_PHRASE_!!!\n" + tldraw + "\n!!!_END_OF_TLDRAW_DATA__DO_NOT_CHANGE_THIS_PHRASE_!!!\n```", "```json !!!_START_OF_TLDRAW_DATA__DO_NOT_CHANGE_THIS_PHRASE_!!!\n[… 3 kB left out]\n```"},
		"an image":            {"![](data:image/png;base64,QUJDRA==)", "![](data:image/png;size=4;sha256=6a94721a1ca68b4e)"},
		"an image in capital": {"![](DATA:IMAGE/PNG;BASE64,QUJDRA==)", "![](data:image/png;size=4;sha256=6a94721a1ca68b4e)"},
		"two runs":            {encoded + "\n\nwords between\n\n" + inHex, "[… 4 kB left out]\n\nwords between\n\n[… 4 kB left out]"},
	} {
		got := legible.Text(c.text)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, clip(got), clip(c.want))
		}
		if again := legible.Text(got); again != got {
			t.Errorf("%s: a second time %q", name, clip(again))
		}
		if lines := legible.Lines(c.text); strings.Count(lines, "\n") != strings.Count(c.text, "\n") {
			t.Errorf("%s: %d lines, want %d", name, strings.Count(lines, "\n"), strings.Count(c.text, "\n"))
		}
		back, err := legible.Restore(c.text, "new\n"+got)
		if err != nil || back != "new\n"+c.text {
			t.Errorf("%s: restored as %q, %v", name, clip(back), err)
		}
	}
	for name, text := range map[string]string{"wrapped": svg[:40] + svg[40:], "an image": "![](" + svg + ")"} {
		if got := legible.Text(text); !strings.Contains(got, "data:image/svg+xml;size=") || len(got) > 100 {
			t.Errorf("%s: %q", name, clip(got))
		}
	}
	wrapped := "![](data:image/png;base64," + wrap(encoded, 76) + ")"
	if got := legible.Text(wrapped); strings.Contains(got, "\n") || !strings.HasPrefix(got, "![](data:image/png;size=30") {
		t.Errorf("a wrapped image: %q", clip(got))
	}
}

func clip(text string) string {
	if len(text) > 300 {
		return text[:150] + " … " + text[len(text)-150:]
	}
	return text
}

func spaced(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i += 2 {
		b.WriteString(text[i:i+2] + " ")
	}
	return b.String()
}

// What people write is no data, however long its words are.
func TestTextKeepsWhatPeopleWrite(t *testing.T) {
	var hashes, files, numbers strings.Builder
	for i := range 200 {
		fmt.Fprintf(&files, "src/main/java/org/example/garden/fence/Post%dController/implementation\n", i)
		fmt.Fprintf(&numbers, "%d\n", 1_000_000_007*(i+1))
		fmt.Fprintf(&hashes, "%d,%d,%x\n", i, i*i, i*i*i)
	}
	for name, text := range map[string]string{
		"chinese":           strings.Repeat("这是一篇没有空格的很长的中文文章内容", 300),
		"thai":              strings.Repeat("ภาษาไทยไม่มีช่องว่างระหว่างคำ", 300),
		"one letter":        strings.Repeat("A", 5000),
		"a rule":            strings.Repeat("-", 5000) + "\n" + strings.Repeat("=", 5000),
		"names of files":    files.String(),
		"numbers":           numbers.String(),
		"digits":            strings.Repeat("3141592653589793238462643383279502884197", 100),
		"bits":              strings.Repeat("0110100111010010", 300),
		"a gene":            strings.Repeat("GATTACACCAGTTGACGATC", 200),
		"CSV":               hashes.String(),
		"minified code":     strings.Repeat("function(a,b){return a.x+b.y[0]?c(d):e.f};", 100),
		"camel case":        strings.Repeat("FenceControllerFactoryBean", 200),
		"a list of words":   strings.Repeat("Donaudampfschifffahrtsgesellschaftskapitaene\n", 80),
		"base32":            base32.StdEncoding.EncodeToString(randomBytes(2000)),
		"a long address":    "https://example.org/" + strings.Repeat("garden/fence/post/", 150),
		"a short token":     base64.StdEncoding.EncodeToString(randomBytes(1000)),
		"addresses":         strings.Repeat("https://de.wikipedia.org/wiki/%C3%9Cbersicht\n", 100),
		"table of decimals": strings.Repeat("10 20 30 40 50 60 70 80 90 11 22 33 44 55 66 77\n", 80),
		"JSON":              "```json\n" + strings.Repeat("{\"name\": \"fence\", \"posts\": [1, 2, 3]},\n", 80) + "```\n",
		"math":              strings.Repeat(`\frac{\partial^2u}{\partial{x}^2}+`, 100),
	} {
		got, leftOut := legible.Read(text)
		if got != text {
			t.Errorf("%s: %q", name, clip(got))
		}
		if leftOut != "" {
			t.Errorf("%s: %s left out", name, leftOut)
		}
	}
}

func TestRestore(t *testing.T) {
	first := base64.StdEncoding.EncodeToString(randomBytes(1600))
	second := hex.EncodeToString(randomBytes(1100))
	before := "# A\n\n" + first + "\n\n# B\n\n" + second + "\n"
	const mark = "[… 2 kB left out]"
	if got := legible.Text(before); got != "# A\n\n"+mark+"\n\n# B\n\n"+mark+"\n" {
		t.Fatalf("%q", got)
	}
	got, err := legible.Restore(before, "# A, better\n\n"+mark+"\n\n# B\n\n"+mark+"\n\nand "+mark)
	if want := "# A, better\n\n" + first + "\n\n# B\n\n" + second + "\n\nand " + mark; err != nil || got != want {
		t.Errorf("%q, %v", clip(got), err)
	}
	for _, after := range []string{"", "# A\n", "# A\n\n" + mark + "\n"} {
		if got, err := legible.Restore(before, after); err == nil {
			t.Errorf("%q is restored as %q", after, clip(got))
		}
	}
	if got, err := legible.Restore("no data", "[… 2 kB left out]"); err != nil || got != "[… 2 kB left out]" {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzText(f *testing.F) {
	encoded := base64.StdEncoding.EncodeToString(randomBytes(1600))
	f.Add("> "+wrap(encoded, 60)+"\n```compressed-json\n", 3)
	f.Add("---\nexcalidraw-plugin: raw\n---\n# Drawing\n```json\n{", 2)
	f.Add("![](data:image/png;base64,QUJD\n) %3C", 900)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, 1+max(0, times)%20)
		short := legible.Text(text)
		if strings.Count(legible.Lines(text), "\n") != strings.Count(text, "\n") {
			t.Fatal("the lines have other numbers")
		}
		if strings.Contains(text, "left out]") || strings.Contains(text, ";sha256=") || strings.Contains(text, "<!--") {
			return // looks like a placeholder, or ibid's comment
		}
		back, err := legible.Restore(text, short)
		if err != nil || back != text {
			t.Fatalf("%q comes back as %q, %v", clip(text), clip(back), err)
		}
	})
}

// A hostile text takes no more time for a byte than any other.
func TestTextOfHostileNotes(t *testing.T) {
	for _, part := range []string{
		"data:", ":", "data:image/png;base64,", "data:image/png;base64,\n", "%3C", "> ", "```\n", "```compressed-json\n",
		"- ", "A1b2+\n", "\n", "--- excalidraw-plugin:\n", "4f ", "data:a/", strings.Repeat("Ab1", 14) + "\n",
	} {
		text := strings.Repeat(part, 500_000/len(part))
		start := time.Now()
		legible.Text(text)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%q: %v", part, took)
		}
	}
}

func BenchmarkText(b *testing.B) {
	for name, text := range map[string]string{
		"prose":  strings.Repeat("The fence of the garden leans on the shed, and nobody mends it.\n\n", 1000),
		"base64": base64.StdEncoding.EncodeToString(randomBytes(48_000)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				legible.Text(text)
			}
		})
	}
}
