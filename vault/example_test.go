package vault_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ibid/vault"
)

// sampleVault writes a small vault into a temporary folder.
func sampleVault() (dir string) {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range map[string]string{
		"Garden.md":         "# Garden\nWater the [[Beans]] and the [[Peas]]. #outside\n",
		"plants/Beans.md":   "---\naliases: [Runner beans]\n---\n# Beans\n\n## Sowing\nIn May. ^when\n\n## Harvest\nIn August.\n",
		"plants/Tomato.md":  "---\nprivate: true\n---\nA secret.\n",
		"plants/seeds.md":   "#outside/bed\n",
		"kitchen/Beans.md":  "# Beans\nSoak over night.\n",
		"kitchen/Tomato.md": "# Tomato\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	return dir
}

// openSample opens and scans the sample vault; done removes it.
func openSample() (v *vault.Vault, done func()) {
	dir := sampleVault()
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := v.Scan(context.Background()); err != nil {
		log.Fatal(err)
	}
	return v, func() {
		if err := v.Close(); err != nil {
			log.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
	}
}

func ExampleOpen() {
	dir := sampleVault()
	defer os.RemoveAll(dir)
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	if err := v.Scan(context.Background()); err != nil {
		log.Fatal(err)
	}
	for _, n := range v.WithTag("outside") {
		fmt.Println(n.Path, n.Tags)
	}
	// Output:
	// Garden.md [outside]
	// plants/seeds.md [outside/bed]
}

// A link always leads to one note: of two of the same name, the one beside
// the note that holds the link, else the one with the shorter path.
func ExampleVault_Resolve() {
	v, done := openSample()
	defer done()
	fmt.Println(v.Resolve("beans#Sowing", "Garden.md"))
	fmt.Println(v.Resolve("Beans", "kitchen/Tomato.md").Path)
	fmt.Println(v.Resolve("Runner beans", "Garden.md"))
	// Output:
	// {ok plants/Beans.md Sowing []}
	// kitchen/Beans.md
	// {missing   [plants/Beans.md]}
}

// What a person types is never guessed at.
func ExampleVault_Find() {
	v, done := openSample()
	defer done()
	for _, ref := range []string{"Runner beans", "Beans", "old/Garden.md", "Gardn"} {
		f := v.Find(ref, vault.ToWrite)
		fmt.Println(f.State, f.Path, f.Candidates)
	}
	f := v.Find("old/Garden.md", vault.ToReadOldChat)
	fmt.Println(f.State, f.Path, f.Candidates)
	// Output:
	// ok plants/Beans.md []
	// ambiguous  [kitchen/Beans.md plants/Beans.md]
	// missing  [Garden.md]
	// missing  [Garden.md]
	// moved Garden.md []
}

func ExampleText_Section() {
	v, done := openSample()
	defer done()
	text, err := v.Read("plants/Beans.md")
	if err != nil {
		log.Fatal(err)
	}
	for _, subpath := range []string{"Sowing", "^when", "L9-L10"} {
		start, end, _ := text.Section(subpath)
		fmt.Printf("%s: %d-%d %q\n", subpath, start, end, text.Lines(start, end))
	}
	// Output:
	// Sowing: 6-8 "## Sowing\nIn May. ^when\n"
	// ^when: 7-7 "In May. ^when"
	// L9-L10: 9-10 "## Harvest\nIn August."
}

// Private notes are listed and not read.
func ExampleVault_Read() {
	v, done := openSample()
	defer done()
	_, err := v.Read("plants/Tomato.md")
	fmt.Println(err)
	// Output:
	// read plants/Tomato.md: private: it stays on this machine
}
