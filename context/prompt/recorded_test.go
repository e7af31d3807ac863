package prompt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// session is a typical conversation about notes, turn by turn. It is made from a seed, so every
// run gets the same ones.
type session struct {
	files  map[string]string // at the start
	events []event
}

// event is one turn, with the changes before it.
type event struct {
	gap      time.Duration     // since the turn before
	edits    map[string]string // notes that were saved meanwhile: path → text
	active   string
	attached []string // active note, pins, then the rest
	tool     string
	question string
	reply    string // with its note-to-self
	again    bool   // regenerates the turn before
}

var vocabulary = strings.Fields(`the a of and to in is that it was for on are as with his they at be this from have or by one
	had not but what all were when we there can an your which their said if do will each about how up out them then she many some so
	these would other into has more her two like him see time could no make than first been its who now people my made over did down
	only way find use may water long little very after words called just where most know tide garden ledger meeting budget river
	harvest chapter compiler protocol interval kitchen violin thesis archive morning evening decision draft review invoice journey`)

func prose(r *rand.Rand, size int) string {
	var b strings.Builder
	for width := 0; b.Len() < size; {
		w := vocabulary[r.IntN(len(vocabulary))]
		b.WriteString(w)
		if width += len(w) + 1; width > 72 {
			b.WriteByte('\n')
			width = 0
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

// noteSize follows what vaults hold: most notes are short, few are long.
func noteSize(r *rand.Rand) int {
	return int(min(max(3000*math.Exp(1.1*r.NormFloat64()), 200), 40000))
}

// recordedSession returns a session of 20 to 60 turns over a vault of 40 notes.
func recordedSession(seed uint64) session {
	r := rand.New(rand.NewPCG(seed, 2031))
	s := session{files: map[string]string{}}
	var paths []string
	for i := range 40 {
		p := fmt.Sprintf("area%d/note %02d.md", i%5, i)
		paths = append(paths, p)
		s.files[p] = fmt.Sprintf("# Note %d\n\n", i) + prose(r, noteSize(r))
	}
	chance := func(p float64) bool { return r.Float64() < p }
	now := make(map[string]string, len(s.files))
	for p, text := range s.files {
		now[p] = text
	}
	follows := chance(0.7)
	active := paths[r.IntN(len(paths))]
	pins := slices.Clone(paths[:r.IntN(3)])
	var seen []string
	for i := range 20 + r.IntN(41) {
		e := event{gap: time.Duration((0.3 + r.ExpFloat64()*2.5) * float64(time.Minute)), edits: map[string]string{}}
		if chance(0.05) {
			e.gap = time.Hour + time.Duration(r.IntN(300))*time.Minute
		}
		if i > 0 && chance(0.04) {
			prev := s.events[i-1]
			e.active, e.attached, e.tool, e.question, e.again = prev.active, prev.attached, prev.tool, prev.question, true
			e.reply = answer(r, i)
			s.events = append(s.events, e)
			continue
		}
		if chance(0.12) {
			active = paths[r.IntN(len(paths))]
		}
		if follows {
			e.active = active
			e.attached = append(e.attached, active)
		}
		e.attached = append(e.attached, pins...)
		if i == 0 || chance(0.35) {
			for range 1 + r.IntN(2) {
				p := paths[r.IntN(len(paths))]
				if len(seen) > 0 && chance(0.4) {
					p = seen[r.IntN(len(seen))]
				}
				e.attached = append(e.attached, p)
			}
		}
		if i > 0 && follows && chance(0.3) {
			edit(r, now, e.edits, active)
		}
		if len(seen) > 0 && chance(0.08) {
			edit(r, now, e.edits, seen[r.IntN(len(seen))])
		}
		for _, p := range e.attached {
			if !slices.Contains(seen, p) {
				seen = append(seen, p)
			}
		}
		if chance(0.1) {
			e.tool = prose(r, 2000+r.IntN(4000))
		}
		e.question = prose(r, 40+r.IntN(300))
		e.reply = answer(r, i)
		s.events = append(s.events, e)
	}
	return s
}

func answer(r *rand.Rand, i int) string {
	return prose(r, 300+r.IntN(2500)) + fmt.Sprintf("\n\n[NOTE TO SELF: turn %d, ", i) + prose(r, 80) + "]"
}

// edit changes a note the way people do: mostly a line or two, or some at the
// end, sometimes much of it.
func edit(r *rand.Rand, now, edits map[string]string, p string) {
	lines := strings.Split(now[p], "\n")
	at := r.IntN(len(lines))
	switch k := r.IntN(10); {
	case k < 4:
		lines[at] = prose(r, 70)
	case k < 8:
		lines = append(lines, strings.Split(prose(r, 60+r.IntN(300)), "\n")...)
	case k < 9:
		lines = slices.Insert(lines, at, strings.Split(prose(r, 200), "\n")...)
	default:
		for i := range lines {
			if r.IntN(3) == 0 {
				lines[i] = prose(r, 70)
			}
		}
	}
	now[p] = strings.Join(lines, "\n")
	edits[p] = now[p]
}
