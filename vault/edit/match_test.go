package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibid/vault/edit"
	"ibid/vault/vaulttest"
)

func TestReplace(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "replace.txt", 5) {
		got, err := edit.Replace(row[1], row[2], row[3], row[0] == "all")
		if err != nil || got != row[4] {
			t.Errorf("%s: %q, %v, want %q", row[0], got, err, row[4])
		}
	}
}

func TestReplaceRefused(t *testing.T) {
	text := "# Garden\n\n- Mon water the beans\n- Tue prune the plum\n- Mon water the beans\nthe year Ⅻ, n\u0303\n"
	for _, row := range vaulttest.Rows(t, "refused.txt", 5) {
		_, err := edit.Replace(text, row[1], "x", false)
		var notUnique *edit.NotUniqueError
		var notFound *edit.NotFoundError
		switch {
		case errors.As(err, &notUnique):
			is(t, strings.Trim(fmt.Sprint(notUnique.Lines), "[]"), strings.ReplaceAll(row[2], ",", ""), row[0], row[2])
		case errors.As(err, &notFound):
			if row[2] != "" || row[3] != "" && fmt.Sprint(notFound.Line) != row[3] {
				t.Errorf("%s: near %d, want %s (%s)", row[0], notFound.Line, row[3], row[2])
			}
		default:
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		if row[4] != "" && err.Error() != row[4] {
			t.Errorf("%s: %q, want %q", row[0], err, row[4])
		}
	}
	if _, err := edit.Replace("nnn", "nn", "x", false); err == nil {
		t.Error("overlapping places count as one")
	}
}

func TestTextsAround(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "around.txt", 5) {
		line := 0
		_, _ = fmt.Sscanf(row[1], "insert %d", &line)
		how := map[string]func(text, more string) string{
			"rewrite": edit.Rewrite, "append": edit.Append, "prepend": edit.Prepend,
		}[row[1]]
		if how == nil {
			how = func(text, more string) string { return edit.Insert(text, line, more) }
		}
		is(t, how(row[2], row[3]), row[4], row[0])
	}
	long := strings.Repeat("x\n", 50_000)
	if _, err := edit.Replace(long, "y", "z", false); err == nil {
		t.Error("found in a long text")
	}
}
