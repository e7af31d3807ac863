package legible

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"ibid/vault/md"
)

func TestURIs(t *testing.T) {
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("font", 100)))
	tests := map[string]struct{ text, want string }{
		"none": {"no ;base64, here: data: x;base64,AAAA", "no ;base64, here: data: x;base64,AAAA"},
		"an image": {
			"a ![x](data:image/png;base64,QUJDRA==) b",
			"a ![x](data:image/png;size=4;sha256=6a94721a1ca68b4e) b",
		},
		"two": {
			"data:image/png;base64,QUJD data:image/gif;base64,QUJE",
			"data:image/png;size=3;sha256=d9cae0dbdbf078b2 data:image/gif;size=3;sha256=7c52935bc9fa212d",
		},
		"with parameters": {
			"(data:image/svg+xml;charset=utf-8;base64,QUJD)",
			"(data:image/svg+xml;size=3;sha256=d9cae0dbdbf078b2)",
		},
		"in html": {
			`<img src="data:image/PNG;base64,QUJD">`,
			`<img src="data:image/png;size=3;sha256=d9cae0dbdbf078b2">`,
		},
		"an example":  {"write data:text/plain;base64,SGk= so", "write data:text/plain;base64,SGk= so"},
		"a font":      {"url(data:font/woff2;base64," + long + ")", "url(data:font/woff2;size=400;sha256="},
		"at the ends": {"data:image/png;base64,QUJD", "data:image/png;size=3;sha256=d9cae0dbdbf078b2"},
		"no kind":     {"data:;base64,QUJD data:x;base64,QUJD", "data:;base64,QUJD data:x;base64,QUJD"},
		"of nothing":  {"data:image/png;base64,", "data:image/png;size=0;sha256="},
		"half a kind": {"data:image/;base64,QUJD", "data:image/;base64,QUJD"},
		"in a row": {
			"data:image/png;base64,QUJDdata:image/gif;base64,QUJE.",
			"data:image/png;size=3;sha256=d9cae0dbdbf078b2data:image/gif;size=3;sha256=7c52935bc9fa212d.",
		},
	}
	for name, tt := range tests {
		got := Text(tt.text)
		if strings.HasSuffix(tt.want, "=") {
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s: %q, want %q…", name, got, tt.want)
			}
		} else if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if again := Text(got); again != got {
			t.Errorf("%s: a second time %q", name, again)
		}
	}
	if a, b := Text("data:image/png;base64,QUJD"), Text("data:image/png;base64,QUJE"); a == b {
		t.Error("a change is not seen")
	}
}

func TestDataBytes(t *testing.T) {
	for payload, want := range map[string]string{
		"QUJD": "ABC", "QUJDRA==": "ABCD", "QUJDRA": "ABCD",
	} {
		d := URI{data: payload}
		if got, err := d.Decode(100); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", payload, got, err)
		}
	}
	for payload, want := range map[string]string{
		"Q": "damaged", "QUJD%zz": "damaged", "-_-_": "damaged",
		strings.Repeat("QUJD", 50): "too large",
	} {
		d := URI{data: payload}
		if _, err := d.Decode(100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

func FuzzURIs(f *testing.F) {
	f.Add("![x](data:image/png;base64,QUJDRA==) data:;base64,x ;base64,")
	f.Add("data:image/png;base64,data:image/png;base64,")
	f.Fuzz(checkData)
}

// checkData: the data URIs of a text are in order, do not overlap and are what they say
// they are; what Text gives is the text with placeholders for them.
func checkData(t *testing.T, text string) {
	text = md.CutHidden(text)
	end, want := 0, ""
	for _, d := range URIs(text) {
		uri := text[max(d.Start, 0):max(d.End, 0)]
		isWhole := len(uri) > len("data:") && strings.EqualFold(uri[:len("data:")], "data:") && strings.HasSuffix(uri, ","+d.data)
		if d.Start < end || !isWhole {
			t.Fatalf("%q: %+v", text, d)
		}
		want += text[end:d.Start] + d.Placeholder()
		end = d.End
	}
	if got := Text(text); got != want+text[end:] {
		t.Errorf("%q becomes %q, want %q", text, got, want+text[end:])
	}
}

// TestDataInARow: what data URIs are made of, in any order, costs no text.
func TestDataInARow(t *testing.T) {
	parts := []string{
		"data:", "data", "image/png", "text/css", ";base64,", ";", ",", "QUJD",
		strings.Repeat("QUJD", 80), "![a](", ")", " ", "\n", "%2B", "=",
	}
	r := rand.New(rand.NewPCG(3, 7))
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		checkData(t, b.String())
	}
}
