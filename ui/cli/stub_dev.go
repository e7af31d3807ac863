package cli

import "context"

func (a *app) screen(ctx context.Context, where string) error { return nil }
