package gather_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ibid/context/gather"
	"ibid/vault"
)

func ExampleGatherer_Mentions() {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"Garden plan.md", "Garden.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# Beds\n\nTulips. #spring\n"), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	ctx := context.Background()
	if err := v.Scan(ctx); err != nil {
		log.Fatal(err)
	}

	g := gather.New(v, gather.Options{})
	refs, missing := g.Mentions(ctx,
		"Does @garden plan agree with [[Garden#Beds]] and #spring? Ask me@garden.org, not [[Gardn]].")
	for _, r := range refs {
		fmt.Println(r.Kind, r.ID)
	}
	for _, m := range missing {
		fmt.Println(m.Reason)
	}
	// Output:
	// note Garden plan.md
	// selection Garden.md#Beds
	// tag #spring
	// [[Gardn]]: there is no such note; did you mean Garden.md?
}
