package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"ibid/chains/desk"
	"ibid/chains/wire"
	"ibid/ui/cli"
)

// The README is the first thing that people see and the last that anybody
// updates: these tests hold what in it can rot.

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// code is what of a markdown text stands in spans and fences, one a line,
// comments of fences left out.
func code(text string) []string {
	var all []string
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			line, _, _ = strings.Cut(line, " #")
			all = append(all, line)
			continue
		}
		for i, span := range strings.Split(line, "`") {
			if i%2 == 1 {
				all = append(all, span)
			}
		}
	}
	return all
}

// TestReadmeCommands: every command, flag and slash command in it exists.
func TestReadmeCommands(t *testing.T) {
	var man bytes.Buffer
	if status := run(t.Context(), []string{"man"}, func(string) string { return "" }, strings.NewReader(""), &man, os.Stderr, nil); status != 0 {
		t.Fatalf("ibid man: exit status %d", status)
	}
	bold := map[string]bool{"help": true, "--version": true, "--help": true}
	for _, m := range regexp.MustCompile(`\\fB(.*?)\\fR`).FindAllStringSubmatch(man.String(), -1) {
		bold[strings.ReplaceAll(m[1], `\-`, "-")] = true
	}
	slash := map[string]bool{}
	for _, c := range desk.Commands() {
		slash["/"+c.Name] = true
	}
	flags, words := regexp.MustCompile(`(^|\s)--[a-z][a-z-]*`), regexp.MustCompile(`\bibid ([a-z]+)( [a-z]+)?`)
	named := 0
	for _, c := range code(readme(t)) {
		if strings.HasPrefix(c, "go") { // of other programs: go, goreleaser
			continue
		}
		for _, f := range flags.FindAllString(c, -1) {
			if named++; !bold[strings.TrimSpace(f)] {
				t.Errorf("%q: there is no flag %s", c, strings.TrimSpace(f))
			}
		}
		for _, m := range words.FindAllStringSubmatch(c, -1) {
			named++
			switch both := m[1] + m[2]; {
			case !bold[m[1]]:
				t.Errorf("%q: there is no command %s", c, m[1])
			case (m[1] == "chats" || m[1] == "completion") && m[2] != "" && !bold[both]:
				t.Errorf("%q: there is no command %s", c, both)
			}
		}
		if name, _, _ := strings.Cut(c, " "); desk.IsCommand(name) {
			if named++; !slash[name] {
				t.Errorf("%q: there is no command %s", c, name)
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d commands and flags were recognized: this test has gone blind", named)
	}
	for name := range slash {
		if !strings.Contains(readme(t), "`"+name+"`") {
			t.Errorf("the command %s is not in README.md", name)
		}
	}
}

// TestReadmeConfig: the file shown there is accepted, and sets every key that
// there is.
func TestReadmeConfig(t *testing.T) {
	_, rest, _ := strings.Cut(readme(t), "```toml\n")
	text, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README.md shows no configuration")
	}
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := cli.ReadConfig(file); err != nil {
		t.Fatal(err)
	}
	var says map[string]any
	if err := toml.Unmarshal([]byte(text), &says); err != nil {
		t.Fatal(err)
	}
	var shown []string
	var show func(table map[string]any, in []string)
	show = func(table map[string]any, in []string) {
		for name, value := range table {
			k := append(slices.Clone(in), name)
			if len(k) > 1 && k[0] == "keys" || len(k) > 3 && (k[2] == "headers" || k[2] == "extra") || len(k) > 4 && k[1] == "themes" { // the person's own
				continue
			}
			if inner, ok := value.(map[string]any); ok {
				show(inner, k)
				if path := strings.Join(k, "."); path == "providers" || path == "screen.themes" { // by names alone
					continue
				}
			}
			shown = append(shown, strings.Join(k, "."))
		}
	}
	show(says, nil)
	slices.Sort(shown)
	known := keysOf(reflect.TypeFor[cli.Config](), "")
	slices.Sort(known)
	if !slices.Equal(shown, known) {
		t.Errorf("README.md shows the keys\n%q\nthere are\n%q", shown, known)
	}
}

// keysOf is the names of the keys that a struct takes, tables among them.
func keysOf(typ reflect.Type, prefix string) []string {
	var keys []string
	for f := range typ.Fields() {
		key := prefix + f.Tag.Get("toml")
		if f.Tag.Get("unused") != "" {
			continue
		}
		keys = append(keys, key)
		switch f.Type.Kind() {
		case reflect.Struct:
			keys = append(keys, keysOf(f.Type, key+".")...)
		case reflect.Pointer:
			if f.Type.Elem().Kind() == reflect.Struct {
				keys = append(keys, keysOf(f.Type.Elem(), key+".")...)
			}
		case reflect.Map:
			if f.Type.Elem().Kind() == reflect.Struct { // by names, of which README.md shows one
				name := map[string]string{"providers": ".claude", "screen.themes": ".mine"}[key]
				keys[len(keys)-1] += name
				keys = append(keys, keysOf(f.Type.Elem(), key+name+".")...)
			}
		}
	}
	return keys
}

// TestEnvironment: the manual page names exactly the variables that are read, and
// README.md names none beside them.
func TestEnvironment(t *testing.T) {
	read := variables(t)
	for _, p := range wire.Providers() {
		asked := map[string]bool{}
		getenv := func(name string) string { asked[name] = true; return "" }
		args := []string{"context", "--vault", t.TempDir(), "--provider", p.Name, "--base-url", cmp.Or(p.BaseURL, "https://x.openai.azure.com"), "x"}
		var errs bytes.Buffer
		if status := run(t.Context(), args, getenv, strings.NewReader(""), io.Discard, &errs, nil); status != 0 {
			t.Errorf("ibid %q: exit status %d: %s", args, status, &errs)
		}
		if read[p.KeyVar] = true; p.KeyVar != "" && !asked[p.KeyVar] {
			t.Errorf("%s: the key in %s is not read", p.Name, p.KeyVar)
		}
	}
	delete(read, "")

	var man bytes.Buffer
	if status := run(t.Context(), []string{"man"}, func(string) string { return "" }, strings.NewReader(""), &man, os.Stderr, nil); status != 0 {
		t.Fatalf("ibid man: exit status %d", status)
	}
	_, section, _ := strings.Cut(man.String(), "\n.SH ENVIRONMENT\n")
	section, _, _ = strings.Cut(section, "\n.SH ")
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\.TP\n\\fB(.*)\\fR$`).FindAllStringSubmatch(section, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if documented[name] = true; !read[name] {
				t.Errorf("the manual page names %s, which is not read", name)
			}
		}
	}
	for name := range read {
		if !documented[name] {
			t.Errorf("%s is read, and the manual page does not name it", name)
		}
	}
	named := regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b`).FindAllString(readme(t), -1)
	for _, name := range named {
		if !documented[name] {
			t.Errorf("README.md names %s, which is not read", name)
		}
	}
	if len(named) < 5 || len(documented) < 15 {
		t.Errorf("only %d and %d variables were recognized: this test has gone blind", len(named), len(documented))
	}
}

// variables are the names of all variables that the program asks its
// environment for, as they stand in calls of the functions that do.
func variables(t *testing.T) map[string]bool {
	names := map[string]bool{}
	_, all := packages(t)
	for dir, p := range all {
		for _, f := range p.files {
			if strings.HasSuffix(dir, "test") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				called := ""
				switch fun := call.Fun.(type) {
				case *ast.Ident:
					called = fun.Name
				case *ast.SelectorExpr:
					called = fun.Sel.Name
				}
				lit, ok := call.Args[0].(*ast.BasicLit)
				if ok && slices.Contains([]string{"Getenv", "LookupEnv", "getenv", "pick", "key"}, called) {
					name, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					names[name] = true
				}
				return true
			})
		}
	}
	return names
}

// TestReadmePackages: the table of packages lists each of them once.
func TestReadmePackages(t *testing.T) {
	_, rest, _ := strings.Cut(readme(t), "| package | owns |\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(.+?)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	_, all := packages(t)
	var there []string
	for dir := range all {
		if dir != "main" {
			there = append(there, dir)
		}
	}
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("README.md lists the packages\n%q\nthere are\n%q", listed, there)
	}
}

// TestReadmeBenchmarks: the packages that are measured there hold benchmarks of
// that name.
func TestReadmeBenchmarks(t *testing.T) {
	found := 0
	for _, m := range regexp.MustCompile(`-bench (\S+)(?: -benchtime \S+)?((?: \./\S+)+)`).FindAllStringSubmatch(readme(t), -1) {
		for _, dir := range strings.Fields(m[2]) {
			found++
			dir = strings.Trim(dir, "`")
			files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			has := false
			for _, file := range files {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				has = has || strings.Contains(string(src), "func Benchmark"+strings.Trim(m[1], "."))
			}
			if !has {
				t.Errorf("%s: there is no Benchmark%s", dir, m[1])
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d benchmarks were recognized", found)
	}
}
