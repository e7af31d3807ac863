package cite

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// Lookup returns the source with a number as a markdown link. Equal links are the same source. An empty link means
// that the number is that of a footnote, which stays as it is.
type Lookup func(number int) (link string, ok bool)

// Drawing is a reply in the form for a person.
type Drawing struct {
	Text   string   // the reply without its list of sources; "[2]" refers to the second of Links
	Links  []string // the sources in the order of their first reference
	Struck []int    // numbers without a source, as the model wrote them
}

// Heading is the heading of the list of sources in a file.
const Heading = "#### Sources:"

// Draw draws a reply. It looks up the sources with lookup, and then in the list at the end of the reply itself.
// References are "[^1]" and "[^1, ^2]".
func Draw(reply string, lookup Lookup) Drawing {
	d := newDrawing(reply, lookup)
	d.run()
	d.out.Text = string(d.text)
	return d.out
}

// Footnotes returns a reply in the form for a note: its references become footnotes, numbered in their order from
// above+1, with definitions at the end. A reply without known references is unchanged.
func Footnotes(reply string, lookup Lookup, above int) string {
	d := newDrawing(reply, lookup)
	d.write = func(links []int) string {
		var b strings.Builder
		for _, n := range links {
			b.WriteString(reference(above + n))
		}
		return b.String()
	}
	d.run()
	if len(d.out.Links) == 0 {
		return reply
	}
	text := strings.TrimRight(string(d.text), " \t\r\n")
	text += closing(text) + "\n"
	for i, link := range d.out.Links {
		text += "\n" + reference(above+i+1) + ": " + link
	}
	return text + "\n"
}

// HighestNumber returns the highest number of the footnotes of a text, 0 if it has none.
func HighestNumber(text string) (highest int) {
	p := parse(text)
	for _, r := range p.references {
		highest = max(highest, slices.Max(r.numbers))
	}
	for _, def := range p.definitions {
		highest = max(highest, def.number)
	}
	return highest
}

func newDrawing(reply string, lookup Lookup) *drawing {
	d := &drawing{parsedReply: parse(reply), reply: reply, lookup: lookup, own: map[int]string{}}
	d.write = func(links []int) string {
		list := make([]string, len(links))
		for i, n := range links {
			list[i] = strconv.Itoa(n)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	if slices.ContainsFunc(d.list, func(def definition) bool { return d.isFootnote(def.number) }) {
		d.list, d.end = nil, len(reply) // a quotation
	}
	for _, def := range d.list {
		if _, twice := d.own[def.number]; !twice {
			d.own[def.number] = def.link
		}
	}
	return d
}

func (d *drawing) run() {
	from := 0
	for i, r := range d.references {
		d.plain(d.reply[from:r.from], i > 0)
		d.reference(r.numbers, d.reply[r.from:r.to])
		from = r.to
	}
	d.plain(d.reply[from:d.end], false)
}

// drawing is a reply that is being drawn.
type drawing struct {
	*parsedReply
	reply    string
	lookup   Lookup
	write    func(links []int) string // formats a reference to these links, counted from 1
	own      map[int]string           // the list at the end of the reply
	text     []byte
	adjacent []int  // references since the last text that is no joint
	joint    string // text after them: "", ", ", " and "
	out      Drawing
}

func (d *drawing) link(number int) (string, bool) {
	if link, ok := d.lookup(number); ok {
		return link, true
	}
	link, ok := d.own[number]
	return link, ok
}

// isFootnote reports whether a number is that of a footnote, and of no source.
func (d *drawing) isFootnote(number int) bool {
	link, ok := d.lookup(number)
	return ok && link == ""
}

// plain adds the text between references.
func (d *drawing) plain(text string, behind bool) {
	if behind && isJoint(text) {
		d.joint = text
		return
	}
	d.text = append(d.text, text...)
	d.adjacent, d.joint = nil, ""
}

// reference adds the numbers of one reference, except those in the adjacent references before it. A footnote that is
// none is added as it was written.
func (d *drawing) reference(numbers []int, as string) {
	if slices.ContainsFunc(numbers, d.isFootnote) {
		d.plain(d.joint+as, false)
		return
	}
	var drawn []int
	for _, n := range numbers {
		link, ok := d.link(n)
		if !ok {
			d.out.Struck = append(d.out.Struck, n)
			continue
		}
		at := slices.Index(d.out.Links, link)
		if at < 0 {
			at, d.out.Links = len(d.out.Links), append(d.out.Links, link)
		}
		if !slices.Contains(d.adjacent, at) {
			d.adjacent = append(d.adjacent, at)
			drawn = append(drawn, at+1)
		}
	}
	if drawn == nil {
		if len(d.adjacent) == 0 { // remove the space before it, too
			d.text = bytes.TrimRight(d.text, " ")
		}
		return
	}
	d.text = append(d.text, d.joint+d.write(drawn)...)
	d.joint = ""
}

// Footer returns the list of the sources that a reply refers to, which a file has below it; "" if there are none. It
// leaves out those that the reply defines itself. A reply without references had a list instead, of these numbers.
func Footer(reply string, lookup Lookup, listed ...int) string {
	p := parse(reply)
	var numbers []int
	for _, r := range p.references {
		numbers = append(numbers, r.numbers...)
	}
	if numbers == nil {
		numbers = listed
	}
	var lines []string
	for _, n := range numbers {
		defined := slices.ContainsFunc(p.definitions, func(d definition) bool { return d.number == n })
		link, ok := lookup(n)
		line := reference(n) + ": " + link
		if ok && link != "" && !defined && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return ""
	}
	return closing(reply) + "\n\n" + Heading + "\n\n" + strings.Join(lines, "\n")
}

// closing returns the end of a code block that reply leaves open, "" if there is none.
func closing(reply string) string {
	var s md.Fences
	for line := range strings.Lines(reply + "\n\n") {
		s.Line(strings.TrimRight(line, "\r\n"))
	}
	if !s.Inside(Heading) {
		return ""
	}
	open := s.Open()
	return "\n" + strings.Repeat(string(open.Char), open.Len)
}

// DeadLine returns a line with the number of a reply's dead links and the first 3 of them, "" if there are none.
func DeadLine(dead []string, of int) string {
	n, leads := len(dead), "lead"
	if n == 0 {
		return ""
	}
	if n == 1 {
		leads = "leads"
	}
	return fmt.Sprintf("links: %d of %d %s nowhere: [[%s]]", n, of, leads, strings.Join(dead[:min(n, 3)], "]], [["))
}

// Claims returns the text that each reference supports, by its number: the text of its paragraph since the previous
// reference, or since the offset of one that was taken out.
func Claims(reply string, takenOut ...int) map[int]string {
	claims := map[int]string{}
	from, claim := 0, ""
	for _, r := range parse(reply).references {
		for _, at := range takenOut {
			if at < r.from {
				from = max(from, at)
			}
		}
		text := reply[from:r.from]
		if !isJoint(text) { // else it is adjacent to the previous reference
			claim = text[strings.LastIndex("\n\n"+text, "\n\n"):]
		}
		for _, n := range r.numbers {
			claims[n] += claim + "\n"
		}
		from = r.to
	}
	return claims
}

// ListedSources returns the sources that String has listed below a reply, in their order.
func ListedSources(drawn string) (links []string) {
	at := strings.LastIndex(drawn, "\n\n"+Heading+"\n")
	if at < 0 {
		return nil
	}
	for line := range strings.Lines(drawn[at:]) {
		n, link, _ := strings.Cut(strings.TrimRight(line, "\n"), ". ")
		if n == strconv.Itoa(len(links)+1) {
			links = append(links, link)
		}
	}
	return links
}

// String returns the text with the list of sources below it.
func (d *Drawing) String() string {
	if len(d.Links) == 0 {
		return d.Text
	}
	var b strings.Builder
	b.WriteString(d.Text + "\n\n" + Heading + "\n")
	for i, link := range d.Links {
		b.WriteString("\n" + strconv.Itoa(i+1) + ". " + link)
	}
	return b.String()
}
