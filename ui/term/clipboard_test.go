package term

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestClipboardTime: a clipboard that hangs holds up nothing for long.
func TestClipboardTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		defer close(hangs)
		began := time.Now()
		err := copyWithin(t.Context(), copyTime, "text", func(string) error { <-hangs; return nil })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != copyTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		var got string
		if err := copyWithin(t.Context(), copyTime, "text", func(s string) error {
			got = s
			return nil
		}); err != nil || got != "text" {
			t.Errorf("%q, %v", got, err)
		}
	})
	for _, name := range []string{"SSH_TTY", "SSH_CONNECTION"} {
		getenv := func(asked string) string { return map[string]string{name: "x"}[asked] }
		if Clipboard(getenv) != nil {
			t.Errorf("with %s the clipboard of the wrong machine is written", name)
		}
	}
}

// TestDecodeImage: the programs of each system write the same image.
func TestDecodeImage(t *testing.T) {
	image := pngBegin + "\r\n\x1a\nrest"
	for _, out := range []string{
		image, "«data PNGf" + strings.ToUpper(hex.EncodeToString([]byte(image))) + "»\n",
		base64.StdEncoding.EncodeToString([]byte(image)) + "\r\n",
	} {
		if got := string(decodeImage([]byte(out))); got != image {
			t.Errorf("%.20q is read as %q", out, got)
		}
	}
	for _, out := range []string{"", "no image", "«data PNGf00»"} {
		if got := decodeImage([]byte(out)); got != nil {
			t.Errorf("%q is read as %q", out, got)
		}
	}
	for _, system := range []string{"darwin", "windows"} {
		if len(imagePrograms(system, func(string) string { return "" })) != 1 {
			t.Errorf("%s has no program", system)
		}
	}
}
