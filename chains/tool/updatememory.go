package tool

import (
	"context"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
)

var memorySpec = chains.ToolSpec{
	Name: chains.MemoryTool, Writes: true,
	Schema: `{"type":"object","properties":{` +
		`"statement":{"type":"string","minLength":1,"maxLength":500},` +
		`"replaces":{"type":"string","maxLength":500,"description":"the bullet that it takes the place of"}},` +
		`"required":["statement"],"additionalProperties":false}`,
}

type memoryArgs struct{ Statement, Replaces string }

func (o Options) updateMemory(ctx context.Context, a memoryArgs) chains.ToolOutput {
	name := o.memory()
	p, err := vault.ParsePath(name)
	if err != nil || p == "" {
		return failedResult("not allowed", "there is no memory note in the vault")
	}
	if found := o.Vault.Lookup(name); found.State == vault.OK || found.State == vault.Moved {
		p = found.Path
	} else if !p.IsNote() {
		p += ".md"
	}
	return o.propose(ctx, memorySpec.Name, p, func(before string, _ bool) (string, error) {
		if strings.TrimSpace(a.Replaces) == "" {
			return edit.AddBullet(before, a.Statement), nil
		}
		return edit.ReplaceBullet(before, a.Replaces, a.Statement)
	})
}
