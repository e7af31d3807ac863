package calltext

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"
)

// TestPlanning compares the request of a planner. It has no text of known items.
func TestPlanning(t *testing.T) {
	p := PlanningQuestion{
		Question: "Which slate for the roof?", Words: strings.Fields,
		Attached: []KnownItem{{
			"Projects/Barn.md", "Barn",
			"# Barn\n\n" + strings.Repeat("It stands by the road. ", 20) +
				"\n\nThe roof wants slate.",
		}, {"https://h.example/p", "A page", "Short."}},
		Known: []KnownItem{{"Log.md", "The log", "SECRET"}},
	}
	system, user := p.Messages(twoTools)
	golden.RequireEqual(t, system+"\n\n===\n\n"+user)
}

// TestPlanningIsSmall: however much goes with a turn, the request is below 4,000
// characters, and holds the question and what is attached.
func TestPlanningIsSmall(t *testing.T) {
	long := strings.Repeat("über die Scheune ", 1200)
	p := PlanningQuestion{Question: "Scheune? " + long, Words: strings.Fields}
	for range 40 {
		p.Attached = append(p.Attached, KnownItem{"Ordner/Scheune.md", "Von der Scheune", long})
		p.Known = append(p.Known, KnownItem{strings.Repeat("ö", 90) + ".md", "", long})
	}
	system, user := p.Messages(twoTools)
	if n := utf8.RuneCountInString(system + user); n >= 4000 {
		t.Errorf("%d characters", n)
	}
	if !strings.HasPrefix(user, "Question: Scheune?") ||
		!strings.Contains(user, "- Ordner/Scheune.md (Von der Scheune): über") || strings.Count(user, "über die") > 300 {
		t.Errorf("the message is\n%s", user)
	}
}

// TestPlan: an array of calls is a plan, whatever stands around it; a tool that there is
// not, a wrong type and other things are none.
func TestPlan(t *testing.T) {
	for reply, want := range map[string]string{
		`[{"tool":"localSearch","args":{"query":"barn roof"}}]`:                                     roof,
		"Here:\n```json\n[{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}]\n```": roof,
		`See [[Barn]] and [1]. [{"tool":"localSearch","args":{"query":"barn roof"}}]`:               roof,
		`First [[a note]], then [{"tool":"localSearch","args":{"query":"barn roof"}}]`:              roof,
		`[{'tool':'localSearch','args':{'query':'barn roof'}},]`:                                    roof,
		`[{"tool":"localSearch","args":{"query":"barn roof"}`:                                       roof,
		`[]`:                                      "",
		`Nothing: []`:                             "",
		`nothing`:                                 "-",
		`{"tool":"localSearch"}`:                  "-",
		`[{"tool":"rm","args":{}}]`:               "-",
		`["localSearch"]`:                         "-",
		`[{"tool":"localSearch","args":"x"}]`:     "-",
		`[{"tool":"localSearch","args":[1]}]`:     "-",
		`[{"tool":7,"args":{}}]`:                  "-",
		`[{"tool":"localSearch","args":{}},null]`: "-",
	} {
		calls, ok := Plan(reply, offered)
		got := spell(calls)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s is %s, want %s", reply, got, want)
		}
	}
	if calls, ok := Plan("["+strings.Repeat(`{"tool":"localSearch","args":{}},`, 9)+"]", offered); !ok || len(calls) != 4 {
		t.Errorf("%d calls", len(calls))
	}
}
