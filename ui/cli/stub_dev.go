package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) screen(ctx context.Context, where string) error { return nil }
func (a *app) modelsCommand() *cobra.Command                  { return &cobra.Command{Use: "models"} }
func (a *app) doctorCommand() *cobra.Command                  { return &cobra.Command{Use: "doctor"} }
