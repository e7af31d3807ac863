package desk_test

import (
	"strings"
	"testing"

	"ibid/chains/chaintest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// When a rule turns out to be unreadable while a chat goes on, the next request has nothing of the vault any more:
// neither what was attached, nor pins, the open note and the memory.
func TestRuleBecomesUnreadable(t *testing.T) {
	r := newRig(t, "-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"/^(a+)+$/\"]}\n-- Memory.md --\nremembered\n-- Plan.md --\nplanned\n"+
		"-- Pin.md --\nspinach\n-- Open.md --\nopened\n", chaintest.New())
	r.openDeskWithMemory(chaintest.New(), "Memory")
	r.desk.Begin(t.Context())
	r.wants("/pin Pin", "Pin")
	r.wants("/active Open", "Open")
	lastRequest := func() string {
		requests := value(r.desk.Session().Requests())(t)
		text := ""
		for _, m := range requests[len(requests)-1].Messages() {
			text += m.Content + "\n"
		}
		return text
	}
	r.line("What of @Plan?")
	for _, word := range []string{"remembered", "planned", "spinach", "opened"} {
		if !strings.Contains(lastRequest(), word) {
			t.Errorf("%s was not sent", word)
		}
	}
	vaulttest.Write(t, r.vault, vault.Path(strings.Repeat("a", 40)+"!.md"), "x")
	value(r.vault.Revalidate(t.Context()))(t)
	r.line("And then?")
	for _, word := range []string{"remembered", "planned", "spinach", "opened", "Pin.md", "Open.md"} {
		if strings.Contains(lastRequest(), word) {
			t.Errorf("%s was sent", word)
		}
	}
	if w := r.desk.RulesWarning(); !strings.Contains(w, "/^(a+)+$/ takes too long") {
		t.Errorf("warning = %q", w)
	}
}
