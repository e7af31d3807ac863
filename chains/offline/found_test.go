package offline

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// found returns a passage from a search: lines of a note, with the number of a source.
func found(n int, path, heading string, from int, text string) prompt.Item {
	to := from + strings.Count(text, "\n")
	it := prompt.NewItem(prompt.Lines(path, from, to), baseName(path), path, text)
	it.StartLine, it.EndLine = from, to
	it.Source = &prompt.Source{ID: n, Path: path, Heading: heading, From: from, To: to}
	return it
}

// Replies from passages cite them, name the section that they are from, and say
// so when none answers.
func TestFound(t *testing.T) {
	attached := note("Boat.md", "# Boat\n\n## Hull\n\nThe keel is oak.\n\n## Sails\n\nThe jib came from Bristol.")
	known := found(7, "Boat.md", "Sails", 9, "The jib came from Bristol.")
	known.Content = ""
	for _, c := range []struct {
		name, question string
		docs           []prompt.Item
		want           string
	}{
		{
			"a section", "Who painted the hull?",
			[]prompt.Item{found(3, "Log/May.md", "Tuesday", 9, "Ruth painted the hull white.")},
			"From [[Log/May#Tuesday]]:\n\n> Ruth painted the hull white. [^3]",
		},
		{
			"a table", "How old is the jib?",
			[]prompt.Item{found(4, "Sails.md", "", 1, "| sail | age |\n| --- | --- |\n| jib | 12 |")},
			"From [[Sails]] [^4]:\n\n> | sail | age |\n> | --- | --- |\n> | jib | 12 |",
		},
		{
			"two notes", "When was the engine serviced?",
			[]prompt.Item{
				found(1, "Engine.md", "", 4, "The engine was serviced in March 2024."),
				found(2, "Yard.md", "Bills", 8, "Engine serviced on 4 May 2025, 210 euros."),
			},
			"From [[Engine]]:\n\n> The engine was serviced in March 2024. [^1]\n\n" +
				"From [[Yard#Bills]]:\n\n> Engine serviced on 4 May 2025, 210 euros. [^2]",
		},
		{
			"what is attached already", "Where did the jib come from?",
			[]prompt.Item{attached, known},
			"From [[Boat#Sails]]:\n\n> The jib came from Bristol. [^7]",
		},
		{
			"what was not looked up", "What is the keel made of?",
			[]prompt.Item{attached, known},
			"From [[Boat#Hull]]:\n\n> The keel is oak.",
		},
		{
			"footnotes of a note", "Who built the boat?",
			[]prompt.Item{note("Boat.md", "# Boat\n\nA fast one.[^b]\n\n[^b]: Ruth built the boat[^1] in May.")},
			"From [[Boat]]:\n\n> Ruth built the boat in May.",
		},
		{
			"a compound", "Wer hat das Segel geflickt?",
			[]prompt.Item{found(1, "Log.md", "", 1, "Den Riss im Großsegel hat Ruth geflickt.")},
			"From [[Log]]:\n\n> Den Riss im Großsegel hat Ruth geflickt. [^1]",
		},
		{
			"the number of one of six that say the same", "How much did the tiles of shed 3 cost?",
			[]prompt.Item{
				found(1, "Shed 1.md", "", 4, "The tiles cost 40 euros."), found(2, "Shed 2.md", "", 4, "The tiles cost 40 euros."),
				found(3, "Shed 3.md", "", 4, "The tiles cost 40 euros."), found(4, "Shed 4.md", "", 4, "The tiles cost 40 euros."),
				found(5, "Shed 5.md", "", 4, "The tiles cost 40 euros."), found(6, "Shed 6.md", "", 4, "The tiles cost 40 euros."),
			},
			"From [[Shed 3]]:\n\n> The tiles cost 40 euros. [^3]",
		},
		{
			"none", "When is the insurance for the mooring due?",
			[]prompt.Item{
				found(1, "Log.md", "", 1, "Rowed to the mooring."),
				found(2, "Yard.md", "", 1, "The yard is closed in winter."),
			},
			"None of the 2 passages that were found answers that. They do not hold “insurance” and “due”. Looked in [[Log]] and [[Yard]].\n\nThe nearest passage is from [[Log]]:\n\n> Rowed to the mooring. [^1]\n\nIf another note knows, attach it with @.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			is(t, stream(t, New(Options{}), chains.Request{Documents: c.docs, Question: c.question}), c.want)
		})
	}
}

// Properties answer what their keys say, and are no text of the note.
func TestProperties(t *testing.T) {
	const text = "---\ntags: [film, harbour]\ndirector:\n  - \"[[Ida Falk]]\"\nyear: 1961\nstatus: seen\n---\nA film about a harbour pilot."
	docs := []prompt.Item{found(1, "Harbour.md", "", 1, text)}
	for question, want := range map[string]string{
		"who directed Harbour?":          "From [[Harbour]]:\n\n> director:\n>   - \"[[Ida Falk]]\" [^1]",
		"in which year was Harbour made": "From [[Harbour]]:\n\n> year: 1961 [^1]",
		"what is the film about?":        "From [[Harbour]]:\n\n> A film about a harbour pilot. [^1]",
		"summarize @Harbour":             "The main sentences of [[Harbour]]:\n\nFrom [[Harbour]]:\n\n> A film about a harbour pilot. [^1]",
	} {
		is(t, stream(t, New(Options{}), chains.Request{Documents: docs, Question: question}), want, question)
	}
}

// Where a question is about a time and nothing else, what was looked up for it is
// the answer.
func TestFoundForATime(t *testing.T) {
	docs := []prompt.Item{
		found(1, "Log/Monday.md", "", 1, "Rowed to the mooring."),
		found(2, "Log/Tuesday.md", "", 1, "Rain. Mended a sail."),
	}
	const quoted = "The main sentences of [[Log/Monday]] and [[Log/Tuesday]]:\n\n" +
		"From [[Log/Monday]]:\n\n> Rowed to the mooring. [^1]\n\nFrom [[Log/Tuesday]]:\n\n> Rain. Mended a sail. [^2]"
	for question, want := range map[string]string{
		"what did I do last week?": quoted,
		"Was war vor drei Tagen?":  quoted,
		"上周我做了什么?":                 quoted,
		"what did the surgeon do last week": "None of the 2 passages that were found answers that. " +
			"They do not hold “surgeon”. Looked in [[Log/Monday]] and [[Log/Tuesday]].\n\n" +
			"If another note knows, attach it with @.",
		"who mended a sail last week?": "From [[Log/Tuesday]]:\n\n> Rain. Mended a sail. [^2]",
	} {
		is(t, stream(t, New(Options{}), chains.Request{Documents: docs, Question: question}), want, question)
	}
}

// At most three passages are joined, and two that say the same are one.
func TestFoundFew(t *testing.T) {
	var docs []prompt.Item
	for i, month := range []string{"March", "April", "May", "May", "June", "July"} {
		docs = append(docs, found(i+1, "Log/"+string(rune('A'+i))+".md", "", 1, "The hull was painted in "+month+"."))
	}
	got := stream(t, New(Options{}), chains.Request{Documents: docs, Question: "when was the hull painted?"})
	is(t, strings.Count(got, "[^"), maxFound, got)
}

// A question for a place, a time, a name, an amount, a reason or a decision is
// answered with one, though other passages hold as many of its words.
func TestExpected(t *testing.T) {
	for _, c := range []struct{ question, merely, answer string }{
		{"Where is the spare anchor?", "The spare anchor is heavy.", "Spare anchor: in the locker below the bunk."},
		{"When do we lift the mast?", "We lift the mast with a crane.", "Mast: lift it on 14 October."},
		{"Who has the key of the shed?", "The key of the shed is rusty.", "The shed: key with Ruth Falk."},
		{"How much varnish does the deck need?", "Varnish for the deck is glossy.", "Deck: varnish, three litres."},
		{"Why is the pump loud?", "The pump is loud again.", "Pump loud because the seal is dry."},
		{"What did we decide about the engine?", "The engine is a diesel.", "Engine: decided to keep it."},
		{"Wo liegt der Anker?", "Der Anker ist schwer.", "Anker: unter der Koje."},
		{"Wann kommt der Mast runter?", "Der Mast ist lang.", "Mast: am 14. Oktober."},
		{"Wie viel Lack braucht das Deck?", "Lack für das Deck glänzt.", "Deck: Lack, drei Liter."},
		{"Warum ist die Pumpe laut?", "Die Pumpe ist wieder laut.", "Pumpe laut, weil die Dichtung trocken ist."},
		{"Où est l'ancre ?", "L'ancre est lourde.", "Ancre : sous la couchette."},
		{"Quand démonter le mât ?", "Le mât est long.", "Mât : en octobre."},
		{"Combien de vernis pour le pont ?", "Le vernis du pont brille.", "Pont : vernis, trois litres."},
		{"¿Dónde está el ancla?", "El ancla pesa.", "Ancla: en el cajón."},
		{"¿Cuándo bajamos el mástil?", "El mástil es largo.", "Mástil: en octubre."},
		{"¿Cuánto barniz para la cubierta?", "El barniz de la cubierta brilla.", "Cubierta: barniz, tres litros."},
		{"船锚在哪里?", "船锚很重。", "船锚放在柜子里。"},
		{"什么时候修船?", "修船很麻烦。", "修船:十月十四日。"},
		{"油漆要多少钱?", "油漆很亮。", "油漆三百元。"},
		{"谁修了水泵?", "水泵修了。", "水泵修了,王老师。"},
	} {
		docs := []prompt.Item{found(1, "A.md", "", 1, c.merely), found(2, "B.md", "", 1, c.answer)}
		got := stream(t, New(Options{}), chains.Request{Documents: docs, Question: c.question})
		at, other := strings.Index(got, c.answer), strings.Index(got, c.merely)
		if at < 0 || other >= 0 && other < at {
			t.Errorf("%s\n%s", c.question, got)
		}
	}
}

func TestExpects(t *testing.T) {
	for question, want := range map[string]expect{
		"where is it": aPlace, "in which town": aPlace, "what is the address of the dentist": aPlace,
		"by when must it be paid": aTime, "to which day was it moved": aTime, "at what time": aTime, "多久换一次油": aTime,
		"how often": anAmount, "wie weit ist es": anAmount, "what is the price": aPrice,
		"how much did the ferry cost": aPrice, "how does it work": anything,
		"which of my friends": aName, "wessen idee war das": aName, "what did we decide about the roof": aDecision,
		"what is a pin": anything, "warum": aReason, "几点开门": aTime,
	} {
		is(t, expects(question, questionWords(question)), want, question)
	}
}

// TestCourtesy: thanks are no question, and do not repeat the one before.
func TestCourtesy(t *testing.T) {
	docs := []prompt.Item{note("Boat.md", "# Boat\n\nThe keel is oak.")}
	for question, want := range map[string]string{
		"thanks": "Attached: [[Boat]]. Ask about", "Thank you very much!": "Attached: [[Boat]]. Ask about",
		"and the keel?": "The keel is oak.",
	} {
		r := chains.Request{
			Question: question, Documents: docs,
			Messages: conversation("what is the keel made of?", question),
		}
		if got := stream(t, New(Options{}), r); !strings.Contains(got, want) {
			t.Errorf("%s: %s", question, got)
		}
	}
}
