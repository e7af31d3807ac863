package vault

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// fileKinds are the kinds of files without text, with the extensions and the first bytes of such files.
var fileKinds = []struct{ kind, ends, begins string }{
	{"a PDF document", ".pdf", "%PDF-"},
	{"a canvas", ".canvas", ""},
	{"a base", ".base", ""},
	{"an image", ".png .jpg .jpeg .gif .webp .svg .bmp .avif .heic .tif .tiff", "\x89PNG \xff\xd8\xff GIF87a GIF89a"},
	{"an office document", ".doc .docx .odt .rtf .xls .xlsx .ods .ppt .pptx .odp", `{\rtf1`},
	{"a sound file", ".mp3 .wav .m4a .ogg .flac .3gp", "ID3\x03 ID3\x04"},
	{"a video", ".mp4 .mov .mkv .webm .ogv", ""},
	{"an e-book", ".epub .mobi", ""},
	{"an archive", ".zip .gz .tar .7z .rar", "PK\x03\x04 \x1f\x8b\x08"},
}

// FileKind describes a file that is no note, by its extension: "a PDF document"; "" if the extension is not
// known.
func FileKind(p Path) string {
	end := strings.ToLower(path.Ext(string(p)))
	return fileKind(func(ends, _ string) bool { return end != "" && slices.Contains(strings.Fields(ends), end) })
}

// kindByContent describes a file as FileKind does, by its first bytes.
func kindByContent(data []byte) string {
	if len(data) == 0 || strings.IndexByte("%\x89\xffG{IP\x1f", data[0]) < 0 {
		return ""
	}
	begins := func(b string) bool { return bytes.HasPrefix(data, []byte(b)) }
	return fileKind(func(_, all string) bool { return slices.ContainsFunc(strings.Fields(all), begins) })
}

func fileKind(fits func(ends, begins string) bool) string {
	for _, k := range fileKinds {
		if fits(k.ends, k.begins) {
			return k.kind
		}
	}
	return ""
}

// notTextError returns the error for a file without text, with a description of its kind.
func notTextError(p Path, data []byte) error {
	if kind := cmp.Or(FileKind(p), kindByContent(data)); kind != "" {
		return fmt.Errorf("%w: it is %s", ErrBinary, kind)
	}
	return ErrBinary
}
