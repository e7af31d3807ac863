package main

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"ibid/chains/desk"
	"ibid/chains/wire"
)

// The README, the manual and CONTRIBUTING.md name commands, settings, variables and packages.
// These tests compare the names with the program.

const contributing = ".github/CONTRIBUTING.md"

// readFiles returns the texts of files, joined.
func readFiles(t *testing.T, names ...string) string {
	t.Helper()
	var text strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		check(t, err)
		text.Write(data)
		text.WriteByte('\n')
	}
	return text.String()
}

// documents returns the texts of the README and the manual, joined.
func documents(t *testing.T) string {
	pages, err := filepath.Glob("ui/cli/book/*.md")
	if err != nil || len(pages) < 17 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return readFiles(t, append([]string{"README.md"}, pages...)...)
}

// TestReadmeLength: the README is short, since users read it before they start ibid.
func TestReadmeLength(t *testing.T) {
	lines := strings.Split(readFiles(t, "README.md"), "\n")
	if len(lines) > 150 {
		t.Errorf("README.md has %d lines", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("README.md:%d has %d columns", i+1, n)
		}
	}
}

// code returns the spans and fences of a markdown text, one per line, without the comments in
// fences.
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
	for _, m := range regexp.MustCompile(`\\fB(.*?)\\f[RP]`).FindAllStringSubmatch(man.String(), -1) {
		bold[strings.ReplaceAll(m[1], `\-`, "-")] = true
	}
	slash := map[string]bool{}
	for _, c := range desk.Commands() {
		slash["/"+c.Name] = true
	}
	flags, words := regexp.MustCompile(`(^|\s)--[a-z][a-z-]*`), regexp.MustCompile(`\bibid ([a-z]+)( [a-z]+)?`)
	named := 0
	for _, c := range code(documents(t)) {
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
		if !regexp.MustCompile("`" + name + "[ `]").MatchString(documents(t)) {
			t.Errorf("the command %s is not in the manual", name)
		}
	}
}

// TestReadmeConfig: the files shown in the manual are accepted.
func TestReadmeConfig(t *testing.T) {
	blocks := strings.Split(documents(t), "```toml\n")[1:]
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		file := filepath.Join(t.TempDir(), "config.toml")
		check(t, os.WriteFile(file, []byte(text), 0o600))
		var errs bytes.Buffer
		if status := run(t.Context(), []string{"config", "--config", file}, func(string) string { return "" }, strings.NewReader(""), io.Discard, &errs, nil); status != 0 {
			t.Errorf("%s\n%s", text, &errs)
		}
	}
	if len(blocks) == 0 {
		t.Error("the manual shows no configuration")
	}
}

// TestEnvironment: the tables of the manual name exactly the variables that are read, and
// the README and the manual name none beside them.
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

	_, section, _ := strings.Cut(readFiles(t, "ui/cli/book/settings.md"), "\n## Variables of the environment\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, providers, _ := strings.Cut(readFiles(t, "ui/cli/book/providers.md"), "<!-- table providers -->")
	documented := map[string]bool{"HTTPS_PROXY": true, "HTTP_PROXY": true, "NO_PROXY": true} // the library's
	for _, m := range regexp.MustCompile("`([A-Za-z]+_[A-Z_a-z]+|[A-Z]{4,})`").FindAllStringSubmatch(section+providers, -1) {
		if !documented[m[1]] && !read[m[1]] {
			t.Errorf("the manual names %s, which is not read", m[1])
		}
		documented[m[1]] = true
	}
	for name := range read {
		if !documented[name] {
			t.Errorf("%s is read, and the manual does not name it", name)
		}
	}
	named := regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b`).FindAllString(documents(t), -1)
	for _, name := range named {
		if !documented[name] {
			t.Errorf("the manual names %s, which is not read", name)
		}
	}
	if len(named) < 5 || len(documented) < 15 {
		t.Errorf("only %d and %d variables were recognized: this test has gone blind", len(named), len(documented))
	}
}

// variables returns the names of all variables of the environment that the program reads. It
// finds them in the calls of the functions that read variables.
func variables(t *testing.T) map[string]bool {
	names := map[string]bool{}
	all := packages(t)
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
					check(t, err)
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
	_, rest, _ := strings.Cut(readFiles(t, contributing), "| package | contents |\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(.+?)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	all := packages(t)
	var there []string
	for dir := range all {
		if dir != "main" {
			there = append(there, dir)
		}
	}
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("CONTRIBUTING.md lists the packages\n%q\nthere are\n%q", listed, there)
	}
}

// TestReadmeBenchmarks: each command with -bench names packages that have benchmarks of that
// name.
func TestReadmeBenchmarks(t *testing.T) {
	found := 0
	for _, m := range regexp.MustCompile(`-bench (\S+)(?: -benchtime \S+)?((?: \./\S+)+)`).FindAllStringSubmatch(readFiles(t, contributing), -1) {
		for _, dir := range strings.Fields(m[2]) {
			found++
			dir = strings.Trim(dir, "`")
			files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
			check(t, err)
			has := false
			for _, file := range files {
				src, err := os.ReadFile(file)
				check(t, err)
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

// TestManualExamples: the examples of the manual are the output of the commands, run one after
// the other on the sample vault without a model. "…" matches any text, and on a line of its own
// any lines.
func TestManualExamples(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	pages, err := filepath.Glob("ui/cli/book/*.md")
	check(t, err)
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			blocks := strings.Split(readFiles(t, page), "```console\n$ ")[1:]
			if len(blocks) == 0 {
				t.Fatal("the page shows no command")
			}
			dir, home := t.TempDir(), t.TempDir()
			check(t, os.CopyFS(dir, os.DirFS("ui/cli/demo")))
			for _, block := range blocks {
				block, _, _ = strings.Cut(block, "```")
				for _, example := range strings.Split(block, "\n$ ") {
					command, want, _ := strings.Cut(strings.TrimSuffix(example, "\n")+"\n", "\n")
					c := exec.CommandContext(t.Context(), sh, "-c", command)
					c.Dir = dir
					c.Env = []string{
						"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home,
						"XDG_CACHE_HOME=" + home, "IBID_MODEL=offline", "IBID_KEYRING=off", "TMPDIR=" + os.TempDir(),
					}
					out, err := c.CombinedOutput()
					if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
						t.Fatal(err)
					}
					pattern := strings.NewReplacer("…\n", "(?:.*\n)*?", "…", ".*").Replace(regexp.QuoteMeta(want))
					if !regexp.MustCompile(`^` + pattern + `$`).Match(out) {
						t.Errorf("$ %s prints\n%s\nthe manual shows\n%s", command, out, want)
					}
				}
			}
		})
	}
}
