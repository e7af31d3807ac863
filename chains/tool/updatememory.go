package tool

import (
	"context"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
)

type memoryArgs struct{ Statement, Replaces string }

func (o Options) updateMemory(ctx context.Context, a memoryArgs) chains.ToolOutput {
	name := o.Memory()
	p, err := vault.ParsePath(name)
	if err != nil || p == "" {
		return failedResult("not allowed", "there is no memory note; /remember TEXT begins one")
	}
	if found := o.Vault.Lookup(name); found.State == vault.OK || found.State == vault.Moved {
		p = found.Path
	} else {
		p = p.AsNote()
	}
	return o.propose(ctx, chains.MemoryTool, p, func(before string, _ bool) (string, error) {
		if strings.TrimSpace(a.Replaces) == "" {
			return edit.AddBullet(before, a.Statement), nil
		}
		return edit.ReplaceBullet(before, a.Replaces, a.Statement)
	})
}
