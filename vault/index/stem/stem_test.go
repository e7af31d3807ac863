package stem_test

import (
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
		for in := stem.English; in <= stem.Russian; in <<= 1 {
			same := stem.In(tt.word, in) == stem.In(tt.other, in)
			if tt.in&in != 0 && !same || tt.in == 0 && same && tt.word != tt.other {
				t.Errorf("%s, %s: one stem %v in language %b", tt.word, tt.other, same, in)
			}
		}
		if all := stem.Of(tt.word, stem.Any); len(all) == 0 || tt.in == 0 && tt.word == tt.other && (len(all) != 1 || all[0] != tt.word) {
			t.Errorf("%s: stems %q", tt.word, all)
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
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if all := stem.Of(word, stem.Any); len(all) == 0 || len(all) > 5 {
			t.Errorf("%q has the stems %q", word, all)
		}
	})
}
