package chains_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/vault"
)

// A turn is a loop over what happens. Leaving the loop ends the turn.
func ExampleSession_Send() {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "Beds.md"), []byte("Tulips stand in the north bed.\n"), 0o600); err != nil {
		log.Fatal(err)
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

	session := chains.NewSession(chains.Options{
		Model: chaintest.New(chaintest.Reply{Text: "In the north bed. [NOTE TO SELF: asked about tulips]"},
			chaintest.Reply{Text: "Nothing yet."}),
		Gather: gather.New(v, gather.Options{}),
	})
	for _, question := range []string{"Where are the tulips? @Beds", "And in the @south?"} {
		for event, err := range session.Send(ctx, chains.Input{Text: question}) {
			if err != nil {
				log.Fatal(err) // the turn did not begin
			}
			switch e := event.(type) {
			case chains.ContextReady:
				for _, a := range e.Envelope.Attached {
					fmt.Println("attached:", a.Ref.ID, a.State)
				}
			case chains.Notice:
				fmt.Println("notice:", e.Text)
			case chains.TextDelta:
				fmt.Println("reply:", e.Text)
			case chains.Done:
				fmt.Println("done:", e.Finish)
			}
		}
	}
	// Output:
	// attached: Beds.md new
	// reply: In the north bed.
	// done: stop
	// notice: @south: there is no such note; it stays text
	// reply: Nothing yet.
	// done: stop
}
