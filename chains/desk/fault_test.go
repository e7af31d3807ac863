package desk_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/vault"
	"ibid/vault/routine"
	"ibid/vault/vaulttest"
)

// faultyLog panics in the goroutine that keeps the index.
type faultyLog struct{ slog.Handler }

func (faultyLog) Enabled(context.Context, slog.Level) bool { return true }

func (faultyLog) Handle(context.Context, slog.Record) error {
	stack := make([]byte, 64<<10)
	if strings.Contains(string(stack[:runtime.Stack(stack, false)]), "keepIndex") {
		panic("oh")
	}
	return nil
}

// TestRunFaults: what the goroutine that keeps the index panics with, the watcher or
// report, ends Run and all that it began, and goes on from there. The desk can be closed.
func TestRunFaults(t *testing.T) {
	notADir := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(notADir, nil, 0o600))
	for name, c := range map[string]struct {
		index  string
		batch  *vault.Batch // that the watcher sends
		report func(desk.Update)
	}{
		"index":   {index: notADir},
		"watcher": {index: t.TempDir(), batch: &vault.Batch{Fault: routine.Call(func() { panic("oh") })}},
		"report":  {index: t.TempDir(), report: func(desk.Update) { panic("oh") }},
		"changed": {index: t.TempDir(), batch: &vault.Batch{Rescan: true}, report: func(u desk.Update) {
			if u.Batch.Rescan {
				panic("oh")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, notes)
			d := desk.New(desk.Options{
				Vault: v, IndexDir: c.index,
				Session: chains.Options{Model: offline.New(offline.Options{}), Log: slog.New(faultyLog{slog.DiscardHandler})},
			})
			watch := func(ctx context.Context) (<-chan vault.Batch, error) {
				batches := make(chan vault.Batch, 1)
				if c.batch != nil {
					batches <- *c.batch
				}
				return batches, nil
			}
			p := routine.Call(func() {
				d.Run(t.Context(), desk.Changes{Watch: watch}, func(u desk.Update) {
					if u.Err != nil && !errors.Is(u.Err, context.Canceled) {
						t.Error(u.Err)
					}
					if c.report != nil {
						c.report(u)
					}
				})
			})
			if p == nil || p.Value != "oh" {
				t.Errorf("Run panicked with %v", p)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
