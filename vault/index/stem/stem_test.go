package stem_test

import (
	"testing"

	"ibid/vault/index/stem"
)

func TestForms(t *testing.T) {
	for _, tt := range []struct {
		word, other string
		same        bool // they are forms of one word
	}{
		{"baking", "bake", true},
		{"photographs", "photograph", true},
		{"flies", "fly", true},
		{"kundigungen", "kundigung", true},
		{"hauser", "haus", true},
		{"cancion", "canciones", true},
		{"informacion", "informaciones", true},
		{"courgettes", "courgette", true},
		{"книга", "книги", true},
		{"bread", "board", false},
		{"book", "книга", false},
		{"2024", "2024", true},
		{"2024", "2025", false},
		{"知识", "知识", true},
		{"go", "gone", false}, // too short to have forms
		{"", "", true},
	} {
		if same := stem.SameStem(tt.word, tt.other); same != tt.same {
			t.Errorf("%s, %s: one stem %v", tt.word, tt.other, same)
		}
	}
	for _, word := range []string{"2024", "知识", "go", ""} {
		if all := stem.Of(word); len(all) != 1 || all[0] != word {
			t.Errorf("%s: stems %q", word, all)
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
		if all := stem.Of(word); len(all) == 0 || len(all) > 5 {
			t.Errorf("%q has the stems %q", word, all)
		}
	})
}
