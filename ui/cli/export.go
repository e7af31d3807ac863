package cli

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path/filepath"
	"strings"

	"ibid/chains/reading"
	"ibid/history"
	"ibid/ui/mdview"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// exportFlags are the flags of ibid chats export.
type exportFlags struct {
	Format string `flag:"format" values:"md|json|html" help:"write <md|json|html>; the default is what the name of the file ends in, or md"`
	File   string `flag:"output,o" help:"write to <FILE> instead of standard output"`
	Force  bool   `flag:"force" help:"overwrite the file if it exists"`
}

// run writes a chat to standard output or a file, which it overwrites only with --force.
func (o *exportFlags) run(ctx context.Context, p *parts, args []string) error {
	format := cmp.Or(o.Format, formatOf(o.File))
	if err := checkFlag("format", format, "md", "json", "html"); err != nil {
		return err
	}
	data, err := exportChat(ctx, p, args[0], format)
	if err == nil && (o.File == "" || o.File == "-") {
		p.print(string(data))
	} else if err == nil {
		_, err = p.writeExport(o.File, data, o.Force)
	}
	if errors.Is(err, fs.ErrExist) {
		return usagef("export to %s: there is such a file; --force overwrites it", o.File)
	}
	return err
}

// exportChat returns a chat as md, json or html.
func exportChat(ctx context.Context, p *parts, name, format string) (data []byte, err error) {
	chat, warnings, err := p.store.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	drawn := reading.Page(&chat)
	switch format {
	case "md":
		data = []byte(theme.Sanitize(string(history.Export(&drawn))))
	case "json":
		if err = p.vault.Scan(ctx); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = json.Indent(&b,
			[]byte(theme.JSONLine(history.ShowChat(&chat, warnings, p.vault, p.gather.Revision))), "", "  ")
		data = b.Bytes()
	case "html":
		data, err = pageOf(&drawn)
	}
	if err != nil {
		err = fmt.Errorf("export chat %s: %w", chat.Path, err)
	}
	return data, err
}

// exportTo implements desk.Setup.Export.
func (p *parts) exportTo(ctx context.Context, name vault.Path, file string, force bool) (string, error) {
	data, err := exportChat(ctx, p, string(name), formatOf(file))
	if err != nil {
		return "", err
	}
	return p.writeExport(file, data, force)
}

// formatOf returns the format for the extension of a file.
func formatOf(file string) string {
	if end := strings.ToLower(filepath.Ext(file)); end == ".html" || end == ".json" {
		return end[1:]
	}
	return "md"
}

// writeExport writes a file as a whole or not at all, and returns its path for messages. It follows a symbolic link, so
// that the link stays one.
func (p *parts) writeExport(file string, data []byte, force bool) (shown string, err error) {
	file = p.path(file)
	shown, in := p.folder.tilde(file), p.vault
	file = ownfile.RealPath(file)
	name, inside := vault.Inside(in.Dir(), file)
	if !inside { // as a vault of its own, so that the same rules of writing hold
		name = vault.Path(filepath.Base(file))
		if in, err = vault.Open(filepath.Dir(file), vault.Options{}); err != nil {
			return "", fmt.Errorf("export to %s: %w", shown, err)
		}
		defer in.Close() //nolint:errcheck // what was written is on disk
	}
	if err = in.WriteFile(name, data, vault.WriteOptions{Create: !force}); err != nil {
		err = fmt.Errorf("export to %s: %w", shown, err)
	}
	return shown, err
}

//go:embed export.html.tmpl
var exportPage string

// pageOf returns a chat as one page of HTML that loads nothing.
func pageOf(c *history.Chat) ([]byte, error) {
	n := 0
	page := template.New("export").Funcs(template.FuncMap{
		"oneLine": theme.OneLine,
		"markdown": func(text string) template.HTML {
			n++
			return template.HTML(mdview.HTML(text, fmt.Sprintf("%d-", n))) //nolint:gosec // HTML escapes what the text has of it
		},
	})
	var b bytes.Buffer
	err := template.Must(page.Parse(exportPage)).Execute(&b, c)
	return b.Bytes(), err
}
