package properties_test

import (
	"testing"

	"ibid/history/properties"
)

// TestSet: a property that is written anew stands where it stood, and everything else
// keeps its bytes.
func TestSet(t *testing.T) {
	for in, want := range map[string]string{
		"a: 1\nb: 2\n":                       "a: 1\nb: new\n",
		"a: 1\n":                             "a: 1\nb: new\n",
		"# above\nb:\n  - x\n\n# of c\nc: 3": "# above\nb: new\n\n# of c\nc: 3",
		"b: &x 1\nc: *x\n":                   "b: &x new\nc: *x\n",
		"  b: 1\n  c: 2\n":                   "  b: new\n  c: 2\n",
		"b: 1\n...\n":                        "b: new\n...\n",
		"b: \"open\nc: [\n":                  "b: new\nc: [\n",
	} {
		was, _ := properties.Parse(in)
		l, _ := properties.Parse(in)
		l.Set("b", "b: new\n", false)
		if got, _ := l.Text(&was, in); got != want || !l.Writable(&was) {
			t.Errorf("%q is %q, want %q; sound: %v", in, got, want, l.Writable(&was))
		}
	}
	if l, _ := properties.Parse("{b: 1}"); !l.Fixed || l.Find("b").Number() != 1 {
		t.Error("flow style can be written")
	}
}

// TestJoin: what is there stays, and what the other list has besides comes behind it.
func TestJoin(t *testing.T) {
	l, _ := properties.Parse("a: 1\n")
	other, _ := properties.Parse("  a: 2\n  tags: [x, '#y']\n")
	sum := l.Join(&other)
	if text, from := sum.Text(&l, "a: 1\n"); text != "a: 1\ntags: [x, '#y']\n" || from != 5 {
		t.Errorf("%q from %d", text, from)
	}
	if tags := sum.Find("tags").Tags(); len(tags) != 2 || tags[1] != "y" {
		t.Errorf("tags %q", tags)
	}
}
