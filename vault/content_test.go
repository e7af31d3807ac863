package vault_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"ibid/vault"
)

func TestJudgeFormats(t *testing.T) {
	for _, test := range []struct{ data, format string }{
		{"%PDF-1.7\n% only ASCII\n", "a PDF document"},
		{"\n \uFEFF%PDF-1.4\n\x00", "a PDF document"},
		{"PK\x03\x04....word/document.xml....\x00", "a Word document (docx)"},
		{"PK\x03\x04....xl/workbook.xml\x00", "an Excel workbook (xlsx)"},
		{"PK\x03\x04....ppt/presentation.xml\x00", "a PowerPoint presentation (pptx)"},
		{"PK\x03\x04....mimetypeapplication/epub+zip\x00", "an e-book"},
		{"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.text\x00", "an ODT document"},
		{"PK\x03\x04....a.txt\x00", "an archive"},
		{"PK\x05\x06" + strings.Repeat("\x00", 18), "an archive"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "an office document of an old kind (doc, xls, ppt)"},
		{`{\rtf1\ansi caf\'e9}`, "an RTF document"},
		{"\x89PNG\r\n\x1a\n\x00\x00", "an image"},
		{"\xff\xd8\xff\xe0\x00\x10JFIF", "an image"},
		{"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "an image"},
		{"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00", "a video"},
		{"ID3\x04\x00\x00\x00", "a sound file"},
		{"\x1f\x8b\x08\x00\x00", "an archive"},
		{"SQLite format 3\x00\x10\x00", "a database"},
		{"a\x00b", ""},
	} {
		c := vault.Judge([]byte(test.data))
		if !c.Binary || c.Format != test.format || c.Text != "" {
			t.Errorf("%q is %+v, want %q", test.data, c, test.format)
		}
		if err := c.Error("a.md"); !errors.Is(err, vault.ErrBinary) || !strings.Contains(err.Error(), test.format) {
			t.Errorf("%q: %v", test.data, err)
		}
	}
}

func TestJudgeText(t *testing.T) {
	for _, text := range []string{
		"", "# A note\n", "<!DOCTYPE html><p>Hi.</p>\n", `{"nodes":[],"edges":[]}`, "BM is no image.\n", "MZ, a name.\n",
		"%PDF- is how such files begin.\n", "Grüße, 日本語, 👩‍🌾\n", "a,b\n1,2\n", "\x1b[1mbold\x1b[0m\n",
	} {
		if c := vault.Judge([]byte(text)); c.Binary || c.Text != text || c.Encoding != "" || c.Damaged {
			t.Errorf("%q is %+v", text, c)
		}
	}
	if c := vault.Judge([]byte("Grüße aus Köln\xff\n")); !c.Damaged || c.Text != "Grüße aus Köln\uFFFD\n" {
		t.Errorf("a text with a broken byte is %+v", c)
	}
}

// Texts in old encodings are read if their language shows; whatever happens, nothing is read wrongly.
func TestJudgeEncodings(t *testing.T) {
	for name, test := range map[string]struct {
		encoding encoding.Encoding
		text     string
	}{
		"GB18030": {simplifiedchinese.GBK, "# 会议记录\n\n今天我们讨论了新的项目。下一次会议是星期五，请大家准备好。\n"},
		"Big5":    {traditionalchinese.Big5, "# 會議記錄\n\n今天我們討論了新的計畫。下一次會議是星期五，請大家準備好。\n"},
		"Shift JIS": {
			japanese.ShiftJIS, "# 会議\n\n今日は新しい計画について話しました。次の会議は金曜日です。\n",
		},
		"EUC-JP": {japanese.EUCJP, "# 会議\n\n今日は新しい計画について話しました。次の会議は金曜日です。\n"},
		"EUC-KR": {korean.EUCKR, "# 회의록\n\n오늘 우리는 새로운 계획에 대해 이야기했다. 다음 회의는 금요일이다.\n"},
		"Windows-1251": {
			charmap.Windows1251, "# Встреча\n\nСегодня мы говорили о новом проекте. Следующая встреча в пятницу.\n",
		},
		"KOI8-R": {charmap.KOI8R, "# Встреча\n\nСегодня мы говорили о новом проекте. Следующая встреча в пятницу.\n"},
		"Windows-1252": {
			charmap.Windows1252, "# Käse\n\nDer Käse ist “gut” – er kostet 5 € in der Nähe, naïve façade, Grüße.\n",
		},
		"UTF-16": {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "# Té\n\n會議 and more\n"},
	} {
		data, err := test.encoding.NewEncoder().Bytes([]byte(test.text))
		if err != nil {
			t.Fatal(name, err)
		}
		c := vault.Judge(data)
		if c.Text != test.text || c.Encoding != name {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, text := range []string{"caf\xe9", "5 \xa3", "na\xefve caf\xe9 cr\xe8me", "K\xe4se und \xc4pfel, \xe4hnlich", "\xa9 2020"} {
		want, _ := charmap.ISO8859_1.NewDecoder().String(text)
		if c := vault.Judge([]byte(text)); c.Text != want || c.Encoding != "Windows-1252" {
			t.Errorf("%q: %+v", text, c)
		}
	}
	bare, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte("# Without a mark\n"))
	if c := vault.Judge(bare); c.Text != "# Without a mark\n" {
		t.Errorf("UTF-16 without a mark: %+v", c)
	}
	// too short, or without a language: named, and not read
	for _, text := range []string{"\xce\xde\xcf\xde\xc1\xe6\xd1\xf2", "\xcf\xd0\xc8\xc2\xc5\xd2\x21"} {
		c := vault.Judge([]byte(text))
		if strings.Contains(c.Text, "\uFFFD") || c.Binary && !strings.Contains(c.Format, "encoding") {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

// A stray byte in a long text costs one character.
func TestJudgeStrayByte(t *testing.T) {
	text := strings.Repeat("The fence leans on the shed.\n", 50)
	c := vault.Judge([]byte("\x9d" + text))
	if c.Binary || !c.Damaged || c.Text != "\uFFFD"+text {
		t.Errorf("%.100q, binary %v, damaged %v", c.Text, c.Binary, c.Damaged)
	}
}
