package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mvdan.cc/gofumpt/format"

	"ibid/vault/vaulttest"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The rules of the house, as tests. Each line of the table says what a package may
// import: "imports" of ours, "third" of others.
//
//   - anything
//     ui/* the widgets below ui
var house = []struct {
	pkg     string
	imports []string
	third   []string
}{
	{
		"vault",
		[]string{"vault/codec", "vault/index/fold"},
		[]string{"github.com/fsnotify/fsnotify", "go.yaml.in/yaml/v3", "github.com/gofrs/flock", "github.com/agnivade/levenshtein", "github.com/djherbis/times", "github.com/dlclark/regexp2/v2", "golang.org/x/"},
	},
	{"vault/state", []string{"vault"}, nil},
	{"vault/dates", nil, []string{"golang.org/x/"}},
	{"vault/edit", nil, []string{"github.com/aymanbagabas/go-udiff", "golang.org/x/"}},
	// vault/edit says how a write is taken back from a file that was changed since.
	{"vault/undo", []string{"vault", "vault/edit"}, []string{"github.com/gofrs/flock"}},
	{"vault/obsidian", []string{"vault", "vault/dates"}, nil},
	{"vault/md", nil, nil},
	{"vault/codec", nil, nil},
	{"vault/legible", nil, nil},
	{"vault/ownfile", nil, []string{"github.com/gofrs/flock"}},
	{"vault/routine", nil, nil},
	{
		"vault/index",
		[]string{"vault", "vault/legible", "vault/dates", "vault/index/fold", "vault/index/stem", "vault/index/syntax"},
		[]string{"modernc.org/sqlite", "github.com/agnivade/levenshtein", "github.com/gofrs/flock", "golang.org/x/"},
	},
	{"vault/index/fold", nil, []string{"golang.org/x/"}},
	{"vault/index/stem", nil, []string{"github.com/blevesearch/snowballstem"}},
	{"vault/index/syntax", []string{"vault/dates"}, []string{"github.com/agnivade/levenshtein"}},
	{"vault/vectors", []string{"vault", "vault/index"}, []string{"github.com/gofrs/flock"}},
	{"vault/names", []string{"vault", "vault/index/fold"}, []string{"golang.org/x/"}},
	{"vault/usage", []string{"vault"}, nil},
	{"vault/query", []string{"vault", "vault/dates"}, []string{"go.yaml.in/yaml/v3", "golang.org/x/"}},
	{
		"context/prompt", nil,
		[]string{"github.com/aymanbagabas/go-udiff"},
	},
	{
		"context/gather",
		[]string{"context/prompt", "vault", "vault/legible", "vault/index", "vault/index/fold", "vault/query"},
		[]string{"github.com/JohannesKaufmann/html-to-markdown/v2", "golang.org/x/"},
	},
	{
		"context/tokens",
		[]string{"context/prompt"},
		[]string{"github.com/dlclark/regexp2/v2", "github.com/tiktoken-go/tokenizer", "charm.land/catwalk/"},
	},
	{
		"history",
		[]string{"context/prompt", "history/properties", "history/statefolder", "vault", "vault/codec"},
		[]string{"github.com/aymanbagabas/go-udiff"},
	},
	{"history/properties", nil, []string{"go.yaml.in/yaml/v3"}},
	{"history/statefolder", nil, []string{"github.com/gofrs/flock"}},
	{"history/chatlist", []string{"history", "vault", "vault/dates"}, []string{"golang.org/x/"}},
	// vault/edit and vault/undo: a turn has changes of notes agreed to and made.
	{"chains", []string{"chains/calltext", "chains/cite", "chains/toolcall", "context/prompt", "context/tokens", "history", "vault/edit", "vault/undo"}, nil},
	{"chains/toolcall", []string{"chains/calltext", "context/prompt"}, []string{"github.com/google/jsonschema-go"}},
	{"chains/calltext", nil, []string{"github.com/google/jsonschema-go"}},
	{"chains/cite", []string{"chains/calltext"}, nil},
	{"chains/reading", []string{"chains/calltext", "chains/cite", "context/prompt", "history"}, nil},
	{"chains/wire", []string{"chains", "context/prompt"}, []string{"github.com/agnivade/levenshtein", "golang.org/x/"}},
	{"chains/embed", []string{"chains", "chains/wire"}, nil},
	{
		"chains/openai",
		[]string{"chains", "chains/wire", "chains/embed", "context/prompt"},
		[]string{"github.com/sashabaranov/go-openai"},
	},
	{"chains/anthropic", []string{"chains", "chains/wire", "context/prompt"}, nil},
	{"chains/gemini", []string{"chains", "chains/wire", "context/prompt"}, nil},
	{"chains/ollama", []string{"chains", "chains/wire", "chains/embed", "context/prompt"}, nil},
	{"chains/offline", []string{"chains", "chains/wire", "context/prompt", "vault/dates", "vault/index/fold", "vault/index/stem"}, []string{"golang.org/x/"}},
	// context/gather fetches the pages that a model asks for.
	{"chains/tool", []string{"chains", "chains/calltext", "context/gather", "vault", "vault/legible", "vault/dates", "vault/edit", "vault/index", "vault/index/fold", "vault/state", "vault/undo"}, []string{"github.com/google/jsonschema-go", "golang.org/x/"}},
	{"chains/desk", []string{"chains", "chains/reading", "history", "history/chatlist", "vault", "vault/legible", "vault/dates", "vault/edit", "vault/index", "vault/names", "vault/obsidian", "vault/state", "vault/undo", "vault/usage", "vault/vectors", "context/prompt", "context/gather", "context/tokens"}, []string{"golang.org/x/"}},
	{"chains/connect/keystore", nil, []string{"github.com/pelletier/go-toml/v2", "github.com/zalando/go-keyring"}},
	{"chains/connect", []string{"chains", "chains/wire", "chains/openai", "chains/anthropic", "chains/gemini", "chains/ollama", "chains/offline", "chains/connect/keystore", "context/prompt", "context/tokens"}, nil},
	{"ui/theme/colors", nil, nil},
	{"ui/theme", []string{"ui/theme/colors"}, screen},
	{"ui/picture", nil, append([]string{"golang.org/x/image"}, screen...)},
	{"ui/mdview", []string{"ui/theme", "ui/picture"}, screen},
	{"ui/diff", []string{"ui/theme", "vault/edit"}, screen},
	{"ui/composer", []string{"ui/theme", "ui/mdview"}, screen},
	{"ui/picker", []string{"ui/term", "ui/theme", "ui/mdview"}, screen},
	{"ui/transcript", []string{"ui/theme", "ui/mdview", "ui/picture"}, screen},
	{"ui/inspector", []string{"ui/theme", "ui/mdview"}, screen},
	{"ui/term", []string{"ui/theme"}, append([]string{"github.com/atotto/clipboard"}, screen...)},
	{"ui/keys", []string{"ui/theme", "ui/composer"}, screen},
	{"ui/page", []string{"ui/keys", "ui/term", "ui/theme", "ui/picker"}, screen},
	{"ui/browse", []string{"ui/chatview", "ui/page", "ui/keys", "ui/term", "ui/theme", "ui/picker", "ui/mdview", "ui/composer", "ui/transcript", "chains", "context/prompt", "history", "history/chatlist", "vault", "vault/legible", "vault/index", "vault/names", "vault/state"}, screen},
	{"ui/setup", []string{"ui/page", "ui/keys", "ui/term", "ui/theme", "ui/theme/colors", "ui/picker", "ui/inspector", "chains"}, screen},
	{"ui/report", []string{"ui/inspector", "ui/theme", "context/prompt"}, nil},
	{"ui/album", []string{"ui/picture", "context/prompt", "vault"}, nil},
	{"ui/chatview", []string{"ui/report", "ui/album", "history/statefolder", "ui/page", "ui/keys", "ui/term", "ui/theme", "ui/composer", "ui/inspector", "ui/picture", "ui/transcript", "chains", "chains/calltext", "chains/cite", "chains/desk", "chains/reading", "chains/toolcall", "context/prompt", "history", "vault", "vault/usage"}, screen},
	{"ui/review", []string{"ui/page", "ui/keys", "ui/term", "ui/theme", "ui/picker", "ui/diff", "chains", "vault", "vault/edit", "vault/undo"}, screen},
	{"ui/rails", []string{"ui/page", "ui/term", "ui/theme", "ui/composer", "ui/inspector", "history", "vault"}, screen},
	{"ui/scrollback", []string{"ui/page", "ui/term", "ui/theme", "ui/transcript"}, screen},
	{"ui/welcome", []string{"ui/page", "ui/term", "ui/theme"}, screen},
	{"ui/cells", []string{"ui/theme"}, screen},
	{"ui", []string{"ui/cells", "ui/report", "ui/welcome", "ui/scrollback", "ui/rails", "ui/browse", "ui/chatview", "ui/setup", "ui/review", "ui/term", "ui/keys", "ui/page", "ui/theme", "ui/theme/colors", "ui/mdview", "ui/picture", "ui/composer", "ui/picker", "ui/transcript", "ui/inspector", "chains", "chains/desk", "history", "history/chatlist", "vault", "vault/index", "vault/state", "vault/undo", "vault/usage", "context/prompt"}, screen},
	{"ui/plain", []string{"ui/theme", "ui/mdview", "ui/diff", "chains", "chains/desk", "chains/toolcall", "history", "vault", "vault/edit", "context/prompt"}, []string{"golang.org/x/"}},
	{"ui/cli/config", nil, []string{"github.com/pelletier/go-toml/v2", "github.com/agnivade/levenshtein"}},
	{"ui/cli/book", []string{"vault/index/stem"}, nil},
	{"ui/cli", []string{"*"}, []string{"*"}},
	{"main", []string{"*"}, []string{"*"}},
	// Doubles: imported from tests only, which TestDoublesAreForTests holds.
	{"vault/vaulttest", []string{"vault"}, []string{"golang.org/x/", "github.com/rogpeppe/go-internal", "github.com/yuin/goldmark"}},
	{"chains/chaintest", []string{"chains", "context/prompt", "vault/edit", "vault/vaulttest"}, nil},
	{"ui/uitest", []string{"*"}, []string{"*"}},
}

var screen = []string{"charm.land/", "github.com/charmbracelet/x/", "github.com/yuin/goldmark", "github.com/alecthomas/chroma/v2", "github.com/rivo/uniseg", "github.com/clipperhouse/"}

type pkg struct {
	dir     string // "main" for the root
	files   map[string]*ast.File
	imports map[string]bool
}

// sources reads every Go file of the module, the tests too, by its name.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "dist"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		all[filepath.ToSlash(name)], err = os.ReadFile(name)
		return err
	})
	check(t, err)
	return all
}

var (
	parsed    = map[string]*pkg{} // by packages
	positions = token.NewFileSet()
)

// packages parses every package of the module, tests left out, for all tests once.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	if len(parsed) > 0 {
		return parsed
	}
	for name, src := range sources(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(positions, name, src, parser.ParseComments)
		check(t, err)
		dir := path.Dir(name)
		if dir == "." {
			dir = "main"
		}
		p := parsed[dir]
		if p == nil {
			p = &pkg{dir: dir, files: map[string]*ast.File{}, imports: map[string]bool{}}
			parsed[dir] = p
		}
		p.files[name] = f
		for _, im := range f.Imports {
			p.imports[strings.Trim(im.Path.Value, `"`)] = true
		}
	}
	return parsed
}

func TestImports(t *testing.T) {
	all := packages(t)
	for dir, p := range all {
		i := slices.IndexFunc(house, func(h struct {
			pkg     string
			imports []string
			third   []string
		},
		) bool {
			return h.pkg == dir
		})
		if i < 0 {
			t.Errorf("package %s is not in the table of packages", dir)
			continue
		}
		h := house[i]
		for im := range p.imports {
			ours, isOurs := strings.CutPrefix(im, "ibid/")
			switch {
			case im == "ibid/ui/cli/config" && dir != "ui/cli":
				t.Errorf("%s must not import %s: settings reach others as values", dir, im)
			case isOurs:
				if ours != "vault/md" && ours != "vault/ownfile" && ours != "vault/routine" && !slices.Contains(h.imports, ours) && !slices.Contains(h.imports, "*") {
					t.Errorf("%s must not import %s", dir, im)
				}
			case strings.Contains(strings.SplitN(im, "/", 2)[0], "."):
				if !slices.ContainsFunc(h.third, func(ok string) bool { return ok == "*" || strings.HasPrefix(im, ok) }) {
					t.Errorf("%s must not import %s", dir, im)
				}
			}
			if im == "charm.land/bubbles/v2/textinput" || im == "charm.land/bubbles/v2/textarea" {
				t.Errorf("%s imports %s, whose keys can end the program: term.Line is the text field", dir, im)
			}
			if strings.HasPrefix(im, "github.com/charmbracelet/") && !strings.HasPrefix(im, "github.com/charmbracelet/x/") {
				t.Errorf("%s imports %s: the charm packages live at charm.land/…/v2", dir, im)
			}
		}
	}
}

func TestDoublesAreForTests(t *testing.T) {
	all := packages(t)
	for dir, p := range all {
		for im := range p.imports {
			if strings.HasPrefix(im, "ibid/") && strings.HasSuffix(im, "test") && !strings.HasSuffix(dir, "test") {
				t.Errorf("%s imports %s outside of its tests", dir, im)
			}
		}
	}
}

// TestChainOfImports limits the longest chain of our own imports to ten packages. The packages
// that make models are between the commands and the protocols, and those that store chats
// between the screen and the desk.
func TestChainOfImports(t *testing.T) {
	all := packages(t)
	memo := map[string][]string{}
	var longest func(dir string) []string
	longest = func(dir string) []string {
		if chain, ok := memo[dir]; ok {
			return chain
		}
		var best []string
		for im := range all[dir].imports {
			if ours, ok := strings.CutPrefix(im, "ibid/"); ok && all[ours] != nil {
				if chain := longest(ours); len(chain) > len(best) {
					best = chain
				}
			}
		}
		memo[dir] = append([]string{dir}, best...)
		return memo[dir]
	}
	for dir := range all {
		if chain := longest(dir); len(chain) > 10 {
			t.Errorf("imports run too deep: %s", strings.Join(chain, " → "))
		}
	}
}

func TestPackageDocs(t *testing.T) {
	all := packages(t)
	for dir, p := range all {
		if dir == "main" {
			continue
		}
		name := path.Join(dir, "doc.go")
		f := p.files[name]
		if f == nil || f.Doc == nil || len(f.Doc.Text()) < 80 {
			t.Errorf("%s: no package story", name)
		}
	}
}

// TestNoBackgroundContexts: only main uses context.Background, so that callers can stop
// everything that they start.
func TestNoBackgroundContexts(t *testing.T) {
	all := packages(t)
	for dir, p := range all {
		if dir == "main" || strings.HasSuffix(dir, "test") {
			continue
		}
		for name, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "context" && (sel.Sel.Name == "Background" || sel.Sel.Name == "TODO") {
					t.Errorf("%s uses context.%s", name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestTestsStandAlone: no test reads files beside the project by a path of its own. Data of
// other programs is found only with vaulttest.Shared, and no test requires it.
func TestTestsStandAlone(t *testing.T) {
	for name, src := range sources(t) {
		if !strings.HasSuffix(name, "_test.go") || name == "arch_test.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		check(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if text := literal(n); text == "IBID_SHARED" || strings.Contains(text, "../shared") {
					t.Errorf("%s: %q is what vaulttest.Shared is for", name, text)
				}
			case *ast.CallExpr:
				if named := fileNamed(n); !filepath.IsLocal(path.Join(path.Dir(name), named)) {
					t.Errorf("%s: %q is outside of the module: see vaulttest.Shared", name, named)
				}
			}
			return true
		})
	}
}

// fileNamed returns the relative path in a call of os, filepath or path, as far as its
// arguments are literals; "" if there is none.
func fileNamed(call *ast.CallExpr) string {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	from, ok := fun.X.(*ast.Ident)
	if !ok || from.Name != "os" && from.Name != "filepath" && from.Name != "path" {
		return ""
	}
	named := ""
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok {
			break
		}
		if named = path.Join(named, literal(lit)); fun.Sel.Name != "Join" {
			break
		}
	}
	if path.IsAbs(named) {
		return ""
	}
	return named
}

// literal returns the text of a string literal, "" if the argument is no string.
func literal(lit *ast.BasicLit) string {
	text, err := strconv.Unquote(lit.Value)
	if err != nil || lit.Kind != token.STRING {
		return ""
	}
	return text
}

// TestFormatted: gofumpt would change nothing. The test calls the formatter as a package, so
// that it needs no go command and no network.
func TestFormatted(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	options := format.Options{LangVersion: goVersion(t), ModulePath: "ibid"}
	for name, src := range sources(t) {
		want, err := format.Source(src, options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(src, want) {
			t.Errorf("%s: gofumpt would change it", name)
		}
	}
}

// goVersion returns the version of the language in go.mod, as "go1.26".
func goVersion(t *testing.T) string {
	t.Helper()
	mod, err := os.ReadFile("go.mod")
	check(t, err)
	m := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(mod)
	if m == nil {
		t.Fatal("go.mod names no version of Go")
	}
	return "go" + string(m[1])
}

// bareWords are adjectives, adverbs and participles that say nothing alone.
var bareWords = regexp.MustCompile(`^(?i)(absent|agreed|answering|applied|asking|calling|canonical|cited|dropped|dropping|earlier|edited|` +
	`ended|foreign|found|given|gone|grown|heard|held|here|hostile|incoming|kept|known|large|last|left|listed|local|long|marked|merging|` +
	`moved|named|naming|narrow|near|nearest|nearly|needed|neutral|only|other|others|outgoing|own|pending|plainly|primary|printable|public|` +
	`reading|rebuilt|recent|recently|recorded|refused|resolved|said|same|saying|seen|sent|short|shown|single|soft|some|spent|strict|such|` +
	`taken|there|tight|titled|told|took|trashed|unmet|unsaid|unsaved|unsent|untrusted|verbatim|weighed|widest|within|withheld|wrong)$`)

// TestNames: what stands alone at the top level of a package says what it is of. The
// glossary of doc.go has the words that have one meaning in all of them.
func TestNames(t *testing.T) {
	all := packages(t)
	for dir, p := range all {
		for _, f := range p.files {
			for _, d := range f.Decls {
				for _, name := range declared(d) {
					if bareWords.MatchString(name) {
						t.Errorf("%s.%s says nothing alone: name the thing, or the verb and its object", dir, name)
					}
				}
			}
		}
	}
}

// declared returns the names that a declaration adds to its package, except for constants.
// Those of a type have its name in front.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if d.Tok == token.VAR {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}
