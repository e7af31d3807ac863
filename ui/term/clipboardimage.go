package term

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// imageTime is the time that the clipboard may take for an image.
const imageTime = 10 * time.Second

// pngBegin is the beginning of a PNG.
const pngBegin = "\x89PNG"

// imagePrograms returns the programs that write the image of the clipboard to standard output: as PNG, in
// base64, or in hex between signs.
func imagePrograms(system string, getenv func(string) string) (all [][]string) {
	switch system {
	case "darwin":
		return [][]string{{"osascript", "-e", "get the clipboard as «class PNGf»"}}
	case "windows":
		const script = `Add-Type -AssemblyName System.Windows.Forms, System.Drawing; ` +
			`$i = [Windows.Forms.Clipboard]::GetImage(); if ($i) { ` +
			`$m = New-Object IO.MemoryStream; $i.Save($m, [Drawing.Imaging.ImageFormat]::Png); ` +
			`[Convert]::ToBase64String($m.ToArray()) }`
		return [][]string{{"powershell", "-NoProfile", "-STA", "-Command", script}}
	}
	if getenv("WAYLAND_DISPLAY") != "" {
		all = append(all, []string{"wl-paste", "--type", "image/png"})
	}
	if getenv("DISPLAY") != "" {
		all = append(all, []string{"xclip", "-selection", "clipboard", "-target", "image/png", "-out"})
	}
	return all
}

// decodeImage returns the PNG in the output of such a program, nil for none.
func decodeImage(out []byte) []byte {
	if !bytes.HasPrefix(out, []byte(pngBegin)) {
		text := strings.TrimSpace(string(out))
		if inner, ok := strings.CutPrefix(strings.TrimSuffix(text, "»"), "«data PNGf"); ok {
			out, _ = hex.DecodeString(inner)
		} else {
			out, _ = base64.StdEncoding.DecodeString(text)
		}
	}
	if !bytes.HasPrefix(out, []byte(pngBegin)) {
		return nil
	}
	return out
}

// ClipboardImage returns the image on the clipboard of this machine as PNG.
func ClipboardImage(ctx context.Context, getenv func(string) string) ([]byte, error) {
	if isRemote(getenv) {
		return nil, errors.New("the clipboard is on the machine that you sit at: copy the image into the vault there")
	}
	ctx, cancel := context.WithTimeout(ctx, imageTime)
	defer cancel()
	found := false
	for _, words := range imagePrograms(runtime.GOOS, getenv) {
		out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
		if image := decodeImage(out); image != nil {
			return image, nil
		}
		found = found || !errors.Is(err, exec.ErrNotFound)
	}
	if !found {
		return nil, errors.New("no program here reads images from the clipboard: " +
			"wl-clipboard has one for Wayland, xclip one for X11")
	}
	return nil, errors.New("there is no image on the clipboard")
}
