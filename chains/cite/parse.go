package cite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// parsedReply is a reply with what it cites.
type parsedReply struct {
	end         int // where the reply ends and its own list of sources begins
	references  []mark
	definitions []definition // all of them
	list        []definition // those of the list at the end
}

// mark is a stretch of a text that refers to sources.
type mark struct {
	from, to int
	numbers  []int
}

// definition is a line "[^1]: link".
type definition struct {
	mark   mark // "[^1]"
	number int
	link   string
}

var markdown = goldmark.New(goldmark.WithParserOptions(
	parser.WithInlineParsers(util.Prioritized(references{}, 50)),
	parser.WithBlockParsers(util.Prioritized(definitions{}, 50)),
)).Parser()

// mostParsed bounds the bytes of a reply whose references count: to parse one
// takes a hundred times its size.
const mostParsed = 512 << 10

// parse reads a reply.
func parse(reply string) *parsedReply {
	p := &parsedReply{end: len(reply)}
	if len(reply) > mostParsed || !strings.Contains(reply, "[") {
		return p
	}
	doc := markdown.Parse(text.NewReader([]byte(reply)))
	// Nothing here returns an error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *referenceNode:
			if entering {
				p.references = append(p.references, n.mark)
			}
		case *definitionNode:
			if entering {
				p.definitions = append(p.definitions, n.definition)
			}
		}
		return ast.WalkContinue, nil
	})
	p.cutList(reply, doc)
	return p
}

// cutList finds the list of sources at the end: definitions only, maybe below a
// heading or a rule.
func (p *parsedReply) cutList(reply string, doc ast.Node) {
	first := len(p.definitions)
	n := doc.LastChild()
	for ; n != nil && defines(n); n = n.PreviousSibling() {
		first -= max(1, n.ChildCount())
	}
	if first == len(p.definitions) {
		return
	}
	p.list = p.definitions[first:]
	p.end = strings.LastIndexByte(reply[:p.list[0].mark.from], '\n') + 1
	if h, ok := n.(*ast.Heading); ok && headsList(string(h.Lines().Value([]byte(reply)))) {
		p.end = strings.LastIndexByte(reply[:h.Lines().At(0).Start], '\n') + 1
		n = n.PreviousSibling()
	}
	if _, ok := n.(*ast.ThematicBreak); ok {
		p.end = strings.LastIndexAny(strings.TrimRight(reply[:p.end], " \t\r\n"), "\n") + 1
	}
	p.end = len(strings.TrimRight(reply[:p.end], " \t\r\n"))
	p.references = slices.DeleteFunc(p.references, func(r mark) bool { return r.from >= p.end })
}

// defines reports whether a block is a definition, or a list with one in each item.
func defines(n ast.Node) bool {
	switch n.(type) {
	case *definitionNode:
		return true
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			if item.ChildCount() != 1 || !defines(item.FirstChild()) {
				return false
			}
		}
		return true
	}
	return false
}

// headsList reports whether a heading stands above a list of sources.
func headsList(heading string) bool {
	switch strings.ToLower(strings.Trim(heading, " \t:*_")) {
	case "source", "sources", "references", "footnotes", "citations", "quellen", "fuentes", "fontes", "источники", "来源", "出典":
		return true
	}
	return false
}

var (
	referenceForm  = regexp.MustCompile(`^\[\^\d{1,4}(?:[ ,;]{1,3}\^?\d{1,4})*\]`)
	definitionForm = regexp.MustCompile(`^\[\^(\d{1,4})\]:[ \t]*(.*?)[ \t\r]*\n?$`)
	number         = regexp.MustCompile(`\d+`)
)

// references is the parser of "[^1]" in running text.
type references struct{}

type referenceNode struct {
	ast.BaseInline
	mark mark
}

var kindReference = ast.NewNodeKind("Reference")

func (*referenceNode) Kind() ast.NodeKind              { return kindReference }
func (n *referenceNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

func (references) Trigger() []byte { return []byte{'['} }

func (references) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	form := referenceForm.Find(line)
	if form == nil {
		return nil
	}
	m := mark{from: segment.Start, to: segment.Start + len(form)}
	m.numbers = numbersIn(form)
	block.Advance(len(form))
	return &referenceNode{mark: m}
}

// numbersIn is the numbers of a reference.
func numbersIn(form []byte) (all []int) {
	for _, digits := range number.FindAll(form, -1) {
		n, _ := strconv.Atoi(string(digits)) // four digits at most
		all = append(all, n)
	}
	return all
}

// reference is the mark that cites a number.
func reference(n int) string { return "[^" + strconv.Itoa(n) + "]" }

// definitions is the parser of "[^1]: link", which is one line.
type definitions struct{}

type definitionNode struct {
	ast.BaseBlock
	definition
}

var kindDefinition = ast.NewNodeKind("Definition")

func (*definitionNode) Kind() ast.NodeKind              { return kindDefinition }
func (n *definitionNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

func (definitions) Trigger() []byte { return []byte{'['} }

func (definitions) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	indent := len(line) - len(strings.TrimLeft(string(line), " "))
	m := definitionForm.FindSubmatch(line[indent:])
	if m == nil || indent > 3 {
		return nil, parser.NoChildren
	}
	n, _ := strconv.Atoi(string(m[1])) // four digits at most
	from := segment.Start + indent
	reader.Advance(segment.Len() - 1)
	return &definitionNode{definition: definition{
		mark: mark{from: from, to: from + len("[^]") + len(m[1])}, number: n, link: string(m[2]),
	}}, parser.NoChildren
}

func (definitions) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

func (definitions) Close(ast.Node, text.Reader, parser.Context) {}

func (definitions) CanInterruptParagraph() bool { return true }

func (definitions) CanAcceptIndentedLine() bool { return false }
