package vault

import (
	"path"
	"strings"
)

// fileKinds are the kinds of files without text, with the extensions of such files, each with a blank behind it.
var fileKinds = []struct{ kind, ends string }{
	{"an image", ".png .jpg .jpeg .gif .webp .svg .bmp .avif .heic .tif .tiff "},
	{"a PDF document", ".pdf "},
	{"a canvas", ".canvas "},
	{"a base", ".base "},
	{"an office document", ".doc .docx .odt .rtf .xls .xlsx .ods .ppt .pptx .odp "},
	{"a sound file", ".mp3 .wav .m4a .ogg .flac .3gp "},
	{"a video", ".mp4 .mov .mkv .webm .ogv "},
	{"an e-book", ".epub .mobi "},
	{"an archive", ".zip .gz .tar .7z .rar "},
}

// FileKind describes a file that is no note, by its extension: "a PDF document"; "" if the extension is not
// known.
func FileKind(p Path) string {
	end := strings.ToLower(path.Ext(string(p)))
	for _, k := range fileKinds {
		if end != "" && strings.Contains(k.ends, end+" ") {
			return k.kind
		}
	}
	return ""
}

// IsPicture reports whether a name is that of a picture, also of one that models do not take.
func IsPicture(name string) bool { return FileKind(Path(name)) == "an image" }
