package history_test

import (
	"slices"
	"testing"

	"ibid/history"
)

func TestEditTags(t *testing.T) {
	for _, bad := range []string{"", "#", "1984", "two words", "a,b", "a\nb", "x#y"} {
		if tags, err := history.EditTags(nil, "+"+bad); err == nil {
			t.Errorf("%q was taken as a tag: %q", bad, tags)
		}
	}
	mine := []string{"copilot-conversation", "a"}
	for _, gone := range []string{"copilot-conversation", "#Copilot-Conversation"} {
		if tags, err := history.EditTags(mine, "-"+gone); err == nil {
			t.Errorf("%q was taken off: %q", gone, tags)
		}
	}
	if tags, err := history.EditTags(mine, "日本", "+b", "-#A"); err != nil ||
		!slices.Equal(tags, []string{"copilot-conversation", "日本", "b"}) {
		t.Errorf("%q, %v", tags, err)
	}
	if len(mine) != 2 || mine[1] != "a" {
		t.Error("the tags that were given changed")
	}
}
