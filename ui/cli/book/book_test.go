package book

import "testing"

func TestJoinLines(t *testing.T) {
	text := "# A page\n\nOne\ntwo.\n\n- an item\n  of two lines\n- another\n\n```sh\na\nb\n```\n| a | b |\n| - | - |\n"
	want := "# A page\n\nOne two.\n\n- an item of two lines\n- another\n\n```sh\na\nb\n```\n| a | b |\n| - | - |\n"
	if got := JoinLines(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
