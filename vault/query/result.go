package query

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"ibid/vault/md"
)

// Result is the result of a query.
type Result struct {
	Type    string   // LIST, TABLE or TASK
	Columns []string // headings of a table
	Dropped int      // number of rows that were left out because of an error in them
	Why     string   // error in the first of them

	rows  [][]any
	noID  bool    // a list without the values that its rows come from
	tasks []group // for TASK
}

// group is a heading with the tasks below it.
type group struct {
	key   any
	depth int
	tasks []*item
}

// Len returns the number of rows.
func (res *Result) Len() int {
	n := len(res.rows)
	for _, g := range res.tasks {
		n += len(g.tasks)
	}
	return n
}

// result makes the result of the remaining rows.
func (x *execution) result(q *Query) (*Result, error) {
	res := &Result{Type: q.Type, noID: q.noID}
	if q.Type == "TASK" {
		x.tasks(res, x.rows, 0)
	} else if err := x.cells(q, res); err != nil {
		return nil, err
	}
	res.Dropped, res.Why = x.dropped, x.firstError
	return res, nil
}

// cells evaluates the columns.
func (x *execution) cells(q *Query, res *Result) error {
	list := make([]expr, len(q.fields))
	for i, f := range q.fields {
		list[i] = f.expr
	}
	before := len(x.rows)
	values, err := x.values(list)
	if err != nil {
		return err
	}
	if before > 0 && len(values) == 0 {
		return &Error{Word: q.Type, Reason: "no row can be read: " + x.firstError}
	}
	if q.Type == "TABLE" {
		if !q.noID {
			res.Columns = append(res.Columns, x.idHeading)
		}
		for _, f := range q.fields {
			res.Columns = append(res.Columns, f.name)
		}
	}
	res.rows = make([][]any, len(values))
	for i, v := range values {
		if !q.noID || q.Type == "LIST" && len(list) == 0 {
			v = append([]any{x.rows[i].id}, v...)
		}
		res.rows[i] = v
	}
	return x.run.stopped()
}

// tasks adds the tasks of rows below their groups, or else below their notes.
func (x *execution) tasks(res *Result, rows []row, depth int) {
	for _, r := range rows {
		data := r.data
		for {
			o, ok := data.(overlay)
			if !ok {
				break
			}
			data = o.object
		}
		switch d := data.(type) {
		case taskRow:
			if n := len(res.tasks); n == 0 || depth == 0 && compare(res.tasks[n-1].key, r.id) != 0 {
				res.tasks = append(res.tasks, group{key: r.id})
			}
			last := &res.tasks[len(res.tasks)-1]
			last.tasks = append(last.tasks, d.item)
		case fields:
			res.tasks = append(res.tasks, group{key: d["key"], depth: depth})
			var inner []row
			for _, o := range d["rows"].([]any) {
				inner = append(inner, row{data: o.(object)})
			}
			x.tasks(res, inner, depth+1)
		}
	}
}

// maxMarkdown limits the size in bytes of the text of a result.
const maxMarkdown = 1 << 20

// Markdown returns the result as a table or a list of at most most rows, with the number of rows that are left
// out.
func (res *Result) Markdown(most int) string {
	var b strings.Builder
	written := 0
	more := func() bool { return written < most && b.Len() < maxMarkdown }
	switch res.Type {
	case "TABLE":
		res.tableHead(&b)
		for ; written < len(res.rows) && more(); written++ {
			writeCells(&b, res.rows[written])
		}
	case "TASK":
		for _, g := range res.tasks {
			if !more() {
				break
			}
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat("#", min(g.depth, 3)+3)+" ", cleanText(text(g.key)))
			for _, t := range g.tasks {
				if !more() {
					break
				}
				b.WriteString("- " + cleanText(t.listText()) + "\n")
				written++
			}
		}
	default:
		for ; written < len(res.rows) && more(); written++ {
			b.WriteString("- " + res.listRow(res.rows[written]) + "\n")
		}
	}
	if rest := res.Len() - written; rest > 0 {
		fmt.Fprintf(&b, "\n… and %d more\n", rest)
	} else if res.Len() == 0 {
		b.WriteString("No results.\n")
	}
	if res.Dropped > 0 {
		fmt.Fprintf(&b, "\n%d rows were left out: %s\n", res.Dropped, cleanText(res.Why))
	}
	return b.String()
}

func (res *Result) tableHead(b *strings.Builder) {
	if len(res.Columns) == 0 || len(res.rows) == 0 {
		return
	}
	writeCells(b, res.Columns)
	b.WriteString("|" + strings.Repeat(" --- |", len(res.Columns)) + "\n")
}

func writeCells[T any](b *strings.Builder, row []T) {
	b.WriteString("|")
	for _, v := range row {
		b.WriteString(" " + tableCell(text(v)) + " |")
	}
	b.WriteString("\n")
}

// listRow returns a row of a list.
func (res *Result) listRow(row []any) string {
	parts := make([]string, len(row))
	for i, v := range row {
		parts[i] = cleanText(text(v))
	}
	return strings.Join(parts, ": ")
}

// tableCell returns s in the form for a cell of a table.
func tableCell(s string) string {
	return strings.ReplaceAll(cleanText(s), "|", `\|`)
}

// maxCell limits the characters of one value in the text.
const maxCell = 10_000

// cleanText returns s on one line, shortened and without control characters.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, md.Clip(s, maxCell))
}

// MarshalJSON writes the rows as lists. Links, dates and durations are texts as in markdown.
func (res *Result) MarshalJSON() ([]byte, error) {
	out := struct {
		Type    string   `json:"type"`
		Columns []string `json:"columns,omitempty"`
		Rows    [][]any  `json:"rows"`
		Dropped int      `json:"dropped,omitempty"`
		Why     string   `json:"why,omitempty"`
	}{res.Type, res.Columns, [][]any{}, res.Dropped, res.Why}
	for _, row := range res.rows {
		cells := make([]any, len(row))
		for i, v := range row {
			cells[i] = jsonValue(v)
		}
		out.Rows = append(out.Rows, cells)
	}
	for _, g := range res.tasks {
		for _, t := range g.tasks {
			out.Rows = append(out.Rows, []any{text(g.key), t.status, t.text, t.line})
		}
	}
	if res.Type == "TASK" {
		out.Columns = []string{"group", "status", "text", "line"}
	}
	return json.Marshal(out)
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case nil, bool, string:
		return v
	case float64:
		if v-v != 0 { // Infinity and NaN are no numbers in JSON
			return text(v)
		}
		return v
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = jsonValue(item)
		}
		return out
	case fields:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = jsonValue(item)
		}
		return out
	case time.Time:
		return dateText(v)
	}
	return text(v)
}
