package query

import (
	"context"
)

// maxRows limits the rows of a query at any time.
const maxRows = 100_000

// row is one row of a result that is being made.
type row struct {
	id   any // value of the first column
	data object
}

// Run answers a query. It returns an error if ctx ends, or an *Error if the query cannot be answered.
func (e *Engine) Run(ctx context.Context, q *Query, ask Ask) (*Result, error) {
	r := e.start(ctx, ask, false)
	defer r.reader.Close()
	x := execution{run: r, idHeading: idName}
	for _, p := range r.list {
		x.rows = append(x.rows, row{p.link(), p})
	}
	if err := x.where(q.from); err != nil {
		return nil, err
	}
	if pages := x.rows; q.Type == "TASK" {
		x.rows = nil
		for _, p := range pages {
			for _, t := range p.data.(*page).tasks() {
				x.rows = append(x.rows, row{p.id, taskRow{t.(*item)}})
			}
			if err := x.bounded("TASK"); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range q.steps {
		if err := x.step(s); err != nil {
			return nil, err
		}
	}
	return x.result(q)
}

// idName is the heading of the column with notes.
const idName = "File"

// execution holds the rows of a query between its clauses.
type execution struct {
	run        *run
	rows       []row
	idHeading  string // heading of the first column
	dropped    int    // number of rows with an error
	firstError string
}

func (x *execution) bounded(word string) error {
	if len(x.rows) > maxRows {
		return &Error{Word: word, Reason: "this makes more than 100,000 rows"}
	}
	return x.run.stopped()
}

func (x *execution) step(s step) error {
	var err error
	before := len(x.rows)
	wrong := x.dropped
	switch s.word {
	case "WHERE":
		err = x.where(s.field.expr)
	case "SORT":
		err = x.sort(s.orders)
	case "LIMIT":
		err = x.limit(s.field.expr)
	case "FLATTEN":
		err = x.flatten(s.field)
	case "GROUP BY":
		err = x.group(s.field)
	}
	if err == nil && before > 0 && x.dropped-wrong >= before {
		return &Error{Word: s.word, Reason: "no row can be read: " + x.firstError}
	}
	if err != nil {
		return err
	}
	return x.bounded(s.word)
}

// countRowError counts an error of one row and returns nil; it returns other errors.
func (x *execution) countRowError(err error) error {
	if !isRowError(err) {
		return err
	}
	x.dropped++
	if x.firstError == "" {
		x.firstError = err.Error()
	}
	return nil
}

// keepRows removes the rows for which f is false or fails.
func (x *execution) keepRows(f func(r row) (bool, error)) error {
	out := x.rows[:0:0]
	for _, r := range x.rows {
		ok, err := f(r)
		if err != nil {
			if err = x.countRowError(err); err != nil {
				return err
			}
			continue
		}
		if ok {
			out = append(out, r)
		}
	}
	x.rows = out
	return nil
}

// where removes the rows for which an expression is not true; it keeps all if e is nil.
func (x *execution) where(e expr) error {
	if e == nil {
		return nil
	}
	return x.keepRows(func(r row) (bool, error) {
		v, err := x.run.valueOf(e, r.data)
		return isTruthy(v), err
	})
}

// values evaluates expressions for each row; rows with an error are removed.
func (x *execution) values(list []expr) ([][]any, error) {
	var all [][]any
	err := x.keepRows(func(r row) (bool, error) {
		values, err := x.run.evalAll(list, r.data), x.run.takeError()
		if err == nil {
			all = append(all, values)
		}
		return true, err
	})
	return all, err
}

// sort sorts rows by keys, ascending or descending. In bases missing values come last in both cases.
func (x *execution) sort(orders []order) error {
	list := make([]expr, len(orders))
	for i, o := range orders {
		list[i] = o.expr
	}
	keys, err := x.values(list)
	if err != nil {
		return err
	}
	out := make([]row, len(keys))
	for i, k := range inOrder(len(keys), func(a, b int) int {
		for i, o := range orders {
			p, q := keys[a][i], keys[b][i]
			down := o.down
			if x.run.base {
				p, q = fileLink(p), fileLink(q)
				down = down || p == nil || q == nil
			}
			c := compare(p, q)
			if down {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	}) {
		out[i] = x.rows[k]
	}
	x.rows = out
	return nil
}

func (x *execution) limit(e expr) error {
	v, err := x.run.valueOf(e, fields{})
	if err != nil && !isRowError(err) {
		return err
	}
	n, ok := v.(float64)
	if !ok || err != nil {
		return &Error{Word: "LIMIT", Reason: "it takes a number"}
	}
	if n < float64(len(x.rows)) {
		x.rows = x.rows[:int(max(0, n))]
	}
	return nil
}

func (x *execution) flatten(f field) error {
	var out []row
	err := x.keepRows(func(r row) (bool, error) {
		v, err := x.run.valueOf(f.expr, r.data)
		if err != nil {
			return false, err
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		if len(out)+len(list) > maxRows {
			return false, &Error{Word: "FLATTEN", Reason: "this makes more than 100,000 rows"}
		}
		for _, item := range list {
			out = append(out, row{r.id, overlay{r.data, f.name, item}})
		}
		return false, nil
	})
	x.rows = out
	return err
}

func (x *execution) group(f field) error {
	keys, err := x.values([]expr{f.expr})
	if err != nil {
		return err
	}
	at := inOrder(len(keys), func(a, b int) int { return compare(keys[a][0], keys[b][0]) })
	var out []row
	for i, k := range at {
		if i > 0 && compare(keys[k][0], keys[at[i-1]][0]) == 0 {
			last := out[len(out)-1].data.(fields)
			last["rows"] = append(last["rows"].([]any), x.rows[k].data)
			continue
		}
		key := keys[k][0]
		group := fields{f.name: key, "key": key, "rows": []any{x.rows[k].data}}
		out = append(out, row{key, group})
	}
	x.rows, x.idHeading = out, f.name
	return nil
}
