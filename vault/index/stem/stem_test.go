package stem_test

import (
	"strings"
	"testing"

	"ibid/vault/index/stem"
)

func TestForms(t *testing.T) {
	for _, tt := range []struct {
		word, other string
		in          stem.Languages // in which they are forms of one word
	}{
		{"baking", "bake", stem.English},
		{"photographs", "photograph", stem.English},
		{"flies", "fly", stem.English},
		{"kundigungen", "kundigung", stem.German},
		{"hauser", "haus", stem.German},
		{"cancion", "canciones", stem.Spanish},
		{"informacion", "informaciones", stem.Spanish},
		{"courgettes", "courgette", stem.French},
		{"книга", "книги", stem.Russian},
		{"bread", "board", 0},
		{"book", "книга", 0},
		{"2024", "2024", 0},
		{"知识", "知识", 0},
		{"go", "go", 0}, // too short to have forms
		{"", "", 0},
	} {
		a, b := stem.Of(tt.word, stem.Any), stem.Of(tt.other, stem.Any)
		if got := a.Shared(tt.other); got&tt.in != tt.in || tt.in == 0 && got != 0 {
			t.Errorf("%s, %s: languages %b, want %b", tt.word, tt.other, got, tt.in)
		}
		if got := b.Shared(tt.word); got&tt.in != tt.in {
			t.Errorf("%s, %s: not the other way", tt.other, tt.word)
		}
		if tt.in != 0 && (!strings.HasPrefix(tt.other, a.Prefix()) || len(a.Prefix()) < 2) {
			t.Errorf("%s does not start as the forms of %s, with %q", tt.other, tt.word, a.Prefix())
		}
		none := stem.Of(tt.word, 0)
		if got := none.Shared(tt.other); got != 0 {
			t.Errorf("%s in no language: %b", tt.word, got)
		}
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]stem.Languages{
		"the bread and the cheese are in the cupboard":     stem.English,
		"das brot und der kase sind nicht mehr im schrank": stem.German,
		"le pain et le fromage sont dans le placard":       stem.French,
		"el pan y los quesos que estan en la mesa":         stem.Spanish,
		"хлеб и сыр лежат не на столе а в шкафу":           stem.Russian,
		"bread cheese": 0,
		"the bread and das brot is the cheese und der kase und": 0,
		"面包和奶酪": 0,
		"":      0,
	} {
		if got := stem.Detect([]byte(text)); got != want {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
	}
}

func TestCommon(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "und": true, "pour": true, "como": true, "что": true, "bread": false, "": false} {
		if stem.Common(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

// No word makes a stemmer fail or go on for ever.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "a", "ies", "ession", "schlossstrasse", "йййй", "\xff\xfe", "naïve"} {
		f.Add(s, "other")
	}
	f.Fuzz(func(t *testing.T, word, other string) {
		s := stem.Of(word, stem.Any)
		s.Shared(other)
		if !strings.HasPrefix(word, s.Prefix()) {
			t.Errorf("%q does not start with %q", word, s.Prefix())
		}
	})
}
