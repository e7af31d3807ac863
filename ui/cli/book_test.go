package cli

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/chains/desk"
	"ibid/chains/wire"
	"ibid/ui"
	"ibid/ui/cli/book"
)

var update = flag.Bool("update", false, "rewrite the tables of the manual")

// TestBookTables: the tables of the manual list what the program has, each once.
func TestBookTables(t *testing.T) {
	a := &app{env: Env{Version: "1.2.3"}}
	root := a.makeCommands()
	tables := map[string]string{
		"providers": providerTable(), "settings": settingTable(), "keys": keyTable(t),
		"commands": slashTable(), "shell": shellTable(root), "flags": flagTable(root),
	}
	marks := regexp.MustCompile(`(?s)<!-- table (\w+) -->\n(.*?)<!-- end -->`)
	seen := map[string]int{}
	for _, topic := range book.Topics() {
		file := filepath.Join("book", topic+".md")
		data, err := os.ReadFile(file)
		check(t, err)
		text := marks.ReplaceAllStringFunc(string(data), func(old string) string {
			name := marks.FindStringSubmatch(old)[1]
			seen[name]++
			return fmt.Sprintf("<!-- table %s -->\n%s<!-- end -->", name, tables[name])
		})
		switch {
		case text == string(data):
		case *update:
			check(t, os.WriteFile(file, []byte(text), 0o644))
		default:
			t.Errorf("the tables of %s are not those of the program: go test ./ui/cli -run TestBookTables -update", file)
		}
	}
	for name := range tables {
		if seen[name] != 1 {
			t.Errorf("the table %s stands %d times in the manual", name, seen[name])
		}
	}
}

// table returns a table in markdown. Each row is a text with tabs between the cells; the first
// is the header.
func table(rows ...string) string {
	var text strings.Builder
	for i, row := range rows {
		cells := strings.Split(strings.ReplaceAll(row, "|", `\|`), "\t")
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(&text, "|%s\n", strings.Repeat(" --- |", len(cells)))
		}
	}
	return text.String()
}

func codeSpan(s string) string {
	if s == "" {
		return ""
	}
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

func providerTable() string {
	rows := []string{"name\taddress\tvariable of its key"}
	for _, p := range wire.Providers() {
		rows = append(rows, codeSpan(p.Name)+"\t"+cmp.Or(p.BaseURL, "your own")+"\t"+codeSpan(p.KeyVar))
	}
	return table(rows...)
}

func settingTable() string {
	rows := []string{"setting\tmeans\tdefault"}
	var add func(typ reflect.Type, prefix string)
	add = func(typ reflect.Type, prefix string) {
		for _, f := range reflect.VisibleFields(typ) {
			if f.Tag.Get("toml") == "" || f.Tag.Get("unused") != "" {
				continue
			}
			key, of := prefix+f.Tag.Get("toml"), f.Type
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			switch {
			case of.Kind() == reflect.Struct:
				add(of, key+".")
				continue
			case of.Kind() == reflect.Map && of.Elem().Kind() == reflect.Struct:
				add(of.Elem(), key+".NAME.")
				continue
			}
			means := f.Tag.Get("help")
			if values := f.Tag.Get("values"); values != "" {
				means += ": " + strings.ReplaceAll(values, "|", ", ")
			}
			preset := f.Tag.Get("default")
			if preset == "" && of.Kind() == reflect.Bool {
				preset = "false"
			}
			rows = append(rows, codeSpan(key)+"\t"+means+"\t"+preset)
		}
	}
	add(reflect.TypeFor[Config](), "")
	return table(rows...)
}

func keyTable(t *testing.T) string {
	all, _, err := ui.ListKeys(nil)
	check(t, err)
	rows := []string{"keys\tdoes\twhere\taction"}
	for _, k := range all {
		var keys []string
		for _, key := range k.Keys {
			keys = append(keys, codeSpan(key))
		}
		rows = append(rows, cmp.Or(strings.Join(keys, " "), "no key")+"\t"+k.Does+"\t"+k.Where+"\t"+codeSpan(k.Action))
	}
	return table(rows...)
}

func slashTable() string {
	rows := []string{"command\tdoes"}
	for _, c := range desk.Commands() {
		rows = append(rows, codeSpan(c.Usage())+"\t"+c.Help)
	}
	return table(rows...)
}

func shellTable(root *cobra.Command) string {
	rows := []string{"command\tdoes"}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		for _, c := range c.Commands() {
			if !c.Hidden && c.Name() != "help" {
				rows = append(rows, codeSpan(c.CommandPath()+c.Use[len(c.Name()):])+"\t"+c.Short)
				add(c)
			}
		}
	}
	add(root)
	return table(rows...)
}

func flagTable(root *cobra.Command) string {
	rows := []string{"flag\tmeans"}
	root.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			value, does := pflag.UnquoteUsage(f)
			rows = append(rows, codeSpan(strings.TrimSpace("--"+f.Name+" "+value))+"\t"+does)
		}
	})
	return table(rows...)
}

// TestBookSearch: what people ask first is answered by the page that a search finds first.
func TestBookSearch(t *testing.T) {
	for question, want := range map[string]string{
		"install": "start", "first key": "providers", "local model": "providers", "privacy": "privacy", "cost": "cost",
		"where are chats": "chats", "undo": "writing", "editor": "editors", "script": "scripts", "trouble": "trouble",
		"how do I install it": "start", "api key": "providers", "ollama": "providers", "what leaves my machine": "privacy",
		"what does a question cost": "cost", "undo a write": "writing", "neovim": "editors", "cron script": "scripts",
		"the model does not answer": "trouble", "not working": "trouble", "an error": "trouble", "it crashed": "trouble", "slow": "trouble",
	} {
		hits := book.Search(question)
		if len(hits) == 0 || hits[0].Topic != want {
			t.Errorf("%q: %+v, want the page %s", question, hits[:min(len(hits), 2)], want)
		}
	}
	if hits := book.Search("xyzzy"); len(hits) > 0 {
		t.Errorf("xyzzy: %+v", hits)
	}
}
