package wire_test

import (
	"strings"
	"testing"

	"ibid/chains/wire"
)

// FuzzThink: how text is cut changes nothing, and nothing but tags and blank
// space around blocks is lost.
func FuzzThink(f *testing.F) {
	for _, seed := range []string{
		"<think>a</think>b",
		" \n<thought>a</thought>\n\n<thinking>b</thinking>c <think>d", "<think>never closed </thin", "<thin",
		"a<think>b</think>", "<think></think>", "<think>a</thinking>b</think>c", "a\n</think>\nb",
		"`</think>` a\n</think>b </think>", "a <think\n</think>",
		"<|channel|>analysis<|message|>a<|channel|>final<|message|>b", "a [/THINK", "a <reasoning\n</reasoning>",
	} {
		f.Add(seed, uint8(1))
		f.Add(seed, uint8(129))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		bare := cut > 127
		said, thought := splitThink(text, max(1, len(text)), bare)
		s2, t2 := splitThink(text, int(cut%16)+1, bare)
		if said != s2 || thought != t2 {
			t.Fatalf("cut: %q %q, whole: %q %q", s2, t2, said, thought)
		}
		if !strings.HasSuffix(text, said) {
			t.Fatalf("%q is not the end of %q", said, text)
		}
	})
}

func splitThink(text string, size int, bare bool) (said, thought string) {
	s := wire.ThinkSplitter{Bare: bare}
	for len(text) > 0 {
		k := min(size, len(text))
		a, b := s.Add(text[:k])
		if s.Took() {
			said, thought = "", thought+said
		}
		said, thought, text = said+a, thought+b, text[k:]
	}
	a, b := s.Close()
	return said + a, thought + b
}

func TestThinkSplitter(t *testing.T) {
	rows := []struct{ text, said, thought string }{
		{"plain", "plain", ""},
		{"<|channel>thought\nplan\n<channel|>Hello", "Hello", "\nplan\n"},
		{"<|channel>thought\n<channel|>Hello", "Hello", "\n"},
		{"<|START_THINKING|>plan<|END_THINKING|><|START_RESPONSE|>Hello", "Hello", "plan"},
		{"<|begin_of_thought|>\nplan\n<|end_of_thought|>\n\n<|begin_of_solution|>\nHello", "Hello", "\nplan\n"},
		{"<|inner_prefix|>plan<|inner_suffix|>Hello", "Hello", "plan"},
		{"<think>plan</think>\n<answer>\nHello", "Hello", "plan"},
		{"<answer>Hello</answer>", "<answer>Hello</answer>", ""},
		{"<|channel>other", "<|channel>other", ""},
		{"<think>plan</think>\n\nAnswer", "Answer", "plan"},
		{"\n<thought>a</thought><thinking>b</thinking>C", "C", "ab"},
		{"Use `<think>` tags.\n<think>not here</think>", "Use `<think>` tags.\n<think>not here</think>", ""},
		{"<think>cut off", "", "cut off"},
		{"<think>a </thi b</think>c", "c", "a </thi b"},
		{"<thinker>x</thinker>", "<thinker>x</thinker>", ""},
		{"  <thi", "  <thi", ""},
		{"   ", "   ", ""},
		{"<reasoning>a</reasoning>b", "b", "a"},
		{"[THINK]a[/THINK]b [THINK]", "b [THINK]", "a"},
		{"<seed:think>a</seed:think>b", "b", "a"},
		{"◁think▷a◁/think▷b", "b", "a"},
		{"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b", "a"},
		{"<|channel|>final<|message|>b", "b", ""},
		{"<|channel|>analysis<|message|>a <| b<|channel|>final<|message|>c", "c", "a <| b"},
		{"<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>b", "b", "a"},
		{"<|channel|>analysis<|message|>a<|channel|>commentary<|message|>b<|channel|>final<|message|>c", "c", "ab"},
		{"<|channel|>analysis<|message|>a <|cha", "", "a <|cha"},
		{"```\n<think>a</think>\n```", "```\n<think>a</think>\n```", ""},
		{"Well. <think>a</think> b", "Well. <think>a</think> b", ""},
		{"[THINK]only", "", "only"},
		{"<|channel|>commentary to=functions.x<|message|>{}", "<|channel|>commentary to=functions.x<|message|>{}", ""},
		{"I add them.\n</think>\n\nFour.", "Four.", "I add them.\n"},
		{"So four.</think>Four.", "Four.", "So four."},
		{"</think>\n\nFour.", "Four.", ""},
		{"a\n</think>\n<think>b</think>c", "c", "a\nb"},
		{"The tag `</think>` ends it.", "The tag `</think>` ends it.", ""},
		{"```\n</think>\n```\nThat is it.", "```\n</think>\n```\nThat is it.", ""},
		{"Both: <think> and </think>.", "Both: <think> and </think>.", ""},
		{"I add.\n</thinking>\nFour.", "Four.", "I add.\n"},
		{"I add.\n[/THINK]Four.", "Four.", "I add.\n"},
		{"I add.\n</reasoning>\n\nFour.", "Four.", "I add.\n"},
		{"I add.◁/think▷Four.", "Four.", "I add."},
		{"</thinking>\nFour.", "Four.", ""},
		{"[/THINK]Four.", "Four.", ""},
		{"</reasoning>Four.", "Four.", ""},
		{"As XML:\n<reasoning>a</reasoning>\nb", "As XML:\n<reasoning>a</reasoning>\nb", ""},
		{"Mistral writes [THINK]a[/THINK] b", "Mistral writes [THINK]a[/THINK] b", ""},
		{"It ends with `[/THINK]` or `</reasoning>`.", "It ends with `[/THINK]` or `</reasoning>`.", ""},
		{"Was `</think>` it? Yes.\n</think>b", "b", "Was `</think>` it? Yes.\n"},
	}
	for _, row := range rows {
		for size := 1; size <= len(row.text); size++ {
			if said, thought := splitThink(row.text, size, false); said != row.said || thought != row.thought {
				t.Errorf("%q cut at %d: said %q, thought %q", row.text, size, said, thought)
			}
		}
	}
}

// TestBareThinking: a reply that begins with thinking without a tag, and one that
// was thought to.
func TestBareThinking(t *testing.T) {
	for _, row := range []struct{ text, said, thought string }{
		{"I add them.\n</think>\n\nFour.", "Four.", "I add them.\n"},
		{"<think>I add.</think>Four.", "Four.", "I add."},
		{"Four.", "Four.", "Four."}, // it was shown while it came
	} {
		for size := 1; size <= len(row.text); size++ {
			if said, thought := splitThink(row.text, size, true); said != row.said || thought != row.thought {
				t.Errorf("%q cut at %d: said %q, thought %q", row.text, size, said, thought)
			}
		}
	}
}
