package tool

import (
	"context"
	"errors"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
)

type memoryArgs struct{ Statement, Replaces string }

func (o Options) updateMemory(ctx context.Context, a memoryArgs) chains.ToolOutput {
	p, err := o.Vault.SettingPath(o.Memory())
	var misnamed *vault.NameError
	switch {
	case errors.As(err, &misnamed):
		return failedResult("not allowed", "memory note: "+err.Error()+"; the person can choose it with /memory use NOTE")
	case err != nil || p == "":
		return failedResult("not allowed", "there is no memory note; /remember TEXT begins one")
	}
	return o.propose(ctx, chains.MemoryTool, p, func(before string, _ bool) (string, error) {
		if strings.TrimSpace(a.Replaces) == "" {
			return edit.AddBullet(before, a.Statement), nil
		}
		return edit.ReplaceBullet(before, a.Replaces, a.Statement)
	})
}
