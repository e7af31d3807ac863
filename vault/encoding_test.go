package vault_test

import (
	"errors"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func TestDecodeFile(t *testing.T) {
	for data, want := range map[string]struct {
		text     string
		encoding vault.Encoding
	}{
		"":                               {"", vault.UTF8},
		"\xef\xbb\xbfa\r\n":              {"\ufeffa\r\n", vault.UTF8},
		"caf\xe9 – café – naïve":         {"caf\xe9 – café – naïve", vault.UTF8},
		"\xff\xfea\x00\r\x00\n\x00":      {"\ufeffa\r\n", vault.UTF16LE},
		"\xfe\xff\x00a\xd8\x3c\xdf\x75":  {"\ufeffa🍵", vault.UTF16BE},
		"#\x00 \x00\x60\x4f\x7d\x59":     {"# 你好", vault.UTF16LE},
		"\x00a\x00b\x00\n\x00c":          {"ab\nc", vault.UTF16BE},
		"\x60\x4f\x7d\x59\x60\x4f\n\x00": {"", 99}, // with too few letters to tell
	} {
		text, encoding, err := vault.DecodeFile([]byte(data))
		if want.encoding == 99 {
			if !errors.Is(err, vault.ErrBinary) {
				t.Errorf("%q: %q, %v", data, text, err)
			}
			continue
		}
		if err != nil || text != want.text || encoding != want.encoding || string(encoding.Encode(text)) != data {
			t.Errorf("%q: %q in %d, %v", data, text, encoding, err)
		}
	}
	for _, data := range []string{"caf\xe9 cr\xe8me", "a\x00b", "a\x00", "\xff\xfea", "\xff\xfea\x00\x3c\xd8a\x00", "\x00\x01\x00\x02\x00\x03\x00\x04"} {
		if text, _, err := vault.DecodeFile([]byte(data)); !errors.Is(err, vault.ErrBinary) {
			t.Errorf("%q is %q, %v", data, text, err)
		}
	}
}

// TestReadUTF16WithoutMark: such a note is read, and says what is odd about it.
func TestReadUTF16WithoutMark(t *testing.T) {
	v := vaulttest.New(t, "")
	vaulttest.Write(t, v, "Wide.md", "#\x00 \x00T\x00e\x00a\x00\r\x00\n\x00")
	text, err := v.Read("Wide.md")
	if err != nil || text.Content != "# Tea\n" || text.Note.Warning == "" {
		t.Errorf("%+v, %v", text, err)
	}
}

func FuzzDecodeFile(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00"))
	f.Add([]byte("a\x00b\x00c\x00d\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, encoding, err := vault.DecodeFile(data)
		if err == nil && string(encoding.Encode(text)) != string(data) {
			t.Errorf("%q becomes %q", data, encoding.Encode(text))
		}
	})
}
