package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Base is a parsed base: a file with the extension .base, or a code block of the kind base.
type Base struct {
	Views    []*View
	filter   expr
	formulas map[string]expr
	names    map[string]string // names of columns, by property
}

// View is one view of a base.
type View struct {
	Name   string
	Err    error // an *Error if the view uses something that is not supported
	filter expr
	order  []string
	sort   []order
	limit  int // 0: none
}

// baseFile is a base in its YAML form.
type baseFile struct {
	Filters    yaml.Node
	Formulas   map[string]string
	Properties map[string]baseNames
	Display    map[string]string
	Views      []baseView
}

type baseNames struct {
	DisplayName string `yaml:"displayName"`
}

type baseView struct {
	Type    string
	Name    string
	Filters yaml.Node
	Order   []string
	Sort    []baseOrder
	Limit   int
	GroupBy yaml.Node `yaml:"groupBy"`
}

type baseOrder struct {
	Property  string
	Column    string
	Direction string
}

// ParseBase parses a base. An error in one view only is in that view's Err.
func ParseBase(text string) (b *Base, err error) {
	if len(text) > maxQuery {
		return nil, &Error{Reason: "it is longer than 100 kB"}
	}
	// The library parses files of any origin: a panic in it must not end the program.
	defer func() {
		if r := recover(); r != nil {
			b, err = nil, &Error{Reason: fmt.Sprintf("the base is not valid YAML: %v", r)}
		}
	}()
	var f baseFile
	if err := yaml.Unmarshal([]byte(text), &f); err != nil {
		return nil, &Error{Reason: "the base is not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	b = &Base{formulas: map[string]expr{}, names: f.Display}
	if b.names == nil {
		b.names = map[string]string{}
	}
	for property, n := range f.Properties {
		if n.DisplayName != "" {
			b.names[property] = n.DisplayName
		}
	}
	if b.filter, err = readFilter(&f.Filters, 0); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(f.Formulas)) {
		e, err := baseExpression(f.Formulas[name])
		if err != nil {
			e = unknown{err} // only views that use it fail
		}
		b.formulas[name] = e
	}
	for i := range f.Views {
		b.Views = append(b.Views, readView(&f.Views[i]))
	}
	if len(b.Views) == 0 {
		return nil, &Error{Word: "views", Reason: "the base has no view"}
	}
	return b, nil
}

func readView(f *baseView) *View {
	v := &View{Name: cmp.Or(f.Name, f.Type), order: f.Order, limit: f.Limit}
	switch {
	case f.Type != "table":
		v.Err = unsupportedError(f.Type, "only views of the type table are supported")
	case f.GroupBy.Kind != 0:
		v.Err = unsupportedError("groupBy", "groups in views are not supported")
	default:
		v.filter, v.Err = readFilter(&f.Filters, 0)
	}
	for _, o := range f.Sort {
		v.sort = append(v.sort, order{column(cmp.Or(o.Property, o.Column)), strings.EqualFold(o.Direction, "DESC")})
	}
	if len(v.order) == 0 {
		v.order = []string{"file.name"}
	}
	return v
}

// readFilter parses a filter: an expression, or and, or, not with a list of filters. It returns nil if there is
// none.
func readFilter(n *yaml.Node, depth int) (expr, error) {
	const form = "a filter is an expression, or one of and, or, not with a list of filters"
	switch {
	case n.Kind == 0 || n.Tag == "!!null":
		return nil, nil
	case depth > maxDepth:
		return nil, unsupportedError("filters", "this nests too deep")
	case n.Kind == yaml.ScalarNode:
		e, err := baseExpression(n.Value)
		return filters{e}, err
	case n.Kind != yaml.MappingNode || len(n.Content) != 2:
		return nil, unsupportedError("filters", form)
	}
	word := n.Content[0].Value
	op, ok := map[string]string{"and": "&", "or": "|", "not": "|"}[word]
	if !ok {
		return nil, unsupportedError(word, form)
	}
	inner := n.Content[1].Content
	if n.Content[1].Kind != yaml.SequenceNode {
		inner = n.Content[1:2]
	}
	var all expr
	for _, c := range inner {
		one, err := readFilter(c, depth+1)
		switch {
		case err != nil:
			return nil, err
		case all == nil:
			all = one
		case one != nil:
			all = binary{op, all, one}
		}
	}
	if word == "not" && all != nil {
		all = notExpr{all}
	}
	return all, nil
}

// baseExpression parses an expression of a base.
func baseExpression(text string) (expr, error) {
	p := &parser{text: text, base: true, funcs: baseFunctions()}
	p.skipSpace()
	e := p.expression()
	if p.skipSpace(); p.err == nil && p.pos < len(p.text) {
		p.fail("the expression should end here")
	}
	return e, p.err
}

// Table is the answer to one view of a base: a result, or the *Error that prevented it.
type Table struct {
	Name   string
	Result *Result
	Err    error
}

// RunBase answers a base, view by view. It returns an error if ctx ends, or if no view can be answered; then it
// is an *Error.
func (e *Engine) RunBase(ctx context.Context, b *Base, ask Ask) ([]Table, error) {
	r := e.start(ctx, ask, true)
	defer r.reader.Close()
	r.base, r.formulas = true, b.formulas
	common := &execution{run: r}
	for _, p := range r.list {
		common.rows = append(common.rows, row{p.link(), baseRow{p}})
	}
	if err := common.where(b.filter); err != nil {
		return nil, err
	}
	tables := make([]Table, len(b.Views))
	for i, v := range b.Views {
		tables[i] = Table{Name: v.Name, Err: v.Err}
		if v.Err == nil {
			x := &execution{run: r, rows: common.rows}
			tables[i].Result, tables[i].Err = x.view(b, v)
		}
	}
	if err := r.stopped(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(tables, func(t Table) bool { return t.Err == nil }) {
		return nil, tables[0].Err
	}
	return tables, nil
}

// view answers one view.
func (x *execution) view(b *Base, v *View) (*Result, error) {
	if err := cmp.Or(x.where(v.filter), x.sort(v.sort)); err != nil {
		return nil, err
	}
	if v.limit > 0 && len(x.rows) > v.limit {
		x.rows = x.rows[:v.limit]
	}
	q := &Query{Type: "TABLE", noID: true}
	for _, property := range v.order {
		q.fields = append(q.fields, field{column(property), b.heading(property)})
	}
	return x.result(q)
}

// heading returns the heading of the column of a property.
func (b *Base) heading(property string) string {
	for _, key := range []string{property, "note." + property, strings.TrimPrefix(property, "note.")} {
		if name := b.names[key]; name != "" {
			return name
		}
	}
	for _, prefix := range []string{"note.", "formula.", "file."} {
		if rest, ok := strings.CutPrefix(property, prefix); ok {
			return rest
		}
	}
	return property
}

// column is an expression for a property as views name it; it is null where there is none.
type column string

func (e column) eval(r *run, row object) any {
	kind, name, ok := strings.Cut(string(e), ".")
	switch {
	case ok && kind == "file" && name == "name":
		return fileLink(row)
	case ok && (kind == "file" || kind == "note" || kind == "formula"):
		v := r.partOf(row.get(kind), name)
		if isRowError(r.err) {
			r.err = nil
		}
		return v
	}
	return row.get(string(e))
}
