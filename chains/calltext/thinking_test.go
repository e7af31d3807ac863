package calltext

import "testing"

// What shows how thinking is written, in a fence that holds another, is text.
func TestThinkingInFencesStays(t *testing.T) {
	for text, want := range map[string]string{
		"<think>\nhm\n</think>\n\nYes.":                          "Yes.",
		"So:\n````\n```\n<think>shown</think>\n```\n````\nDone.": "So:\n````\n```\n<think>shown</think>\n```\n````\nDone.",
		"~~~\n```\n<think>a</think>\n~~~\n<think>b</think>\nc":   "~~~\n```\n<think>a</think>\n~~~\nc",
	} {
		if got := WithoutThinking(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
