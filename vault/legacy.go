package vault

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Encodings of the time before Unicode have no mark, and most bytes are valid in several of them. The right one is
// known by the language: a text in a wrong encoding has rare characters where each language repeats a few. If no
// language shows, nothing is guessed, because a wrong text is worse than none.

// legacyEncoding is an encoding with the characters that make up much of any text in its language.
type legacyEncoding struct {
	name     string
	encoding encoding.Encoding
	common   string
	share    float64 // of the characters beyond ASCII that must be common
}

// eastAsian encodings have two bytes a character, and cyrillic ones one, as Windows-1252 has.
var (
	eastAsian = []legacyEncoding{
		{"Shift JIS", japanese.ShiftJIS, commonJapanese, 0.35},
		{"EUC-JP", japanese.EUCJP, commonJapanese, 0.35},
		{"GB18030", simplifiedchinese.GB18030, commonChinese, 0.2},
		{"Big5", traditionalchinese.Big5, commonTaiwanese, 0.2},
		{"EUC-KR", korean.EUCKR, commonKorean, 0.2},
	}
	cyrillic = []legacyEncoding{
		{"Windows-1251", charmap.Windows1251, commonRussian, 0.5},
		{"KOI8-R", charmap.KOI8R, commonRussian, 0.5},
	}
)

// The most frequent characters of languages, with the punctuation that stands in most of their texts.
const (
	commonJapanese = "のにはをたがでてとしれさあいうえおかきくこすせそちつなぬねひふへほまみむめもやゆよらりるろわんっょゃゅばびぶべだどじずけげごぎ" +
		"アイウエオカキクケコサシスセソタチツテトナニハヒフマミムメモラリルレロンーッャュョ。、「」"
	commonChinese = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都" +
		"然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工" +
		"世界气水图笔记间问题今书请给名字测试内容，。、：；！？“”《》（）"
	commonTaiwanese = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都" +
		"然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工" +
		"世界氣水圖筆記間問題今書請給名字內容，。、：；！？「」《》（）"
	commonKorean = "이다는을를의에가고지기하한로사인도그나자리어서아니있해스시수정대전일부보들라과은만여오주제원장구상세조게면것안무모유경선신공중소" +
		"원미화비방위치계관동우성적으년였었습녕요글메"
	commonRussian = "оеаинтсрвлкмдпуяы"
)

// decodeLegacy returns the text of data, which is no UTF-8, and the name of its encoding; "" if it is not known.
func decodeLegacy(data []byte) (text, name string) {
	text, name = decodeBest(data, eastAsian)
	if name == "" && readsLikeLatin(data) {
		decoded, _ := charmap.Windows1252.NewDecoder().Bytes(data) // each byte is valid
		return string(decoded), "Windows-1252"
	}
	if name == "" {
		text, name = decodeBest(data, cyrillic)
	}
	return text, name
}

// sampleBytes is the length of the beginning by which an encoding is recognized.
const sampleBytes = 64 << 10

// decodeBest decodes data from the encoding in which it reads most like a language, "" if it does so in none.
func decodeBest(data []byte, encodings []legacyEncoding) (text, name string) {
	best := 1.0
	var chosen *legacyEncoding
	for i := range encodings {
		e := &encodings[i]
		fit := e.commonShare(data[:min(len(data), sampleBytes)]) / e.share
		if fit >= best {
			best, chosen = fit, e
		}
	}
	if chosen == nil {
		return "", ""
	}
	decoded, err := chosen.encoding.NewDecoder().Bytes(data)
	if err != nil || strings.ContainsRune(string(decoded), utf8.RuneError) {
		return "", ""
	}
	return string(decoded), chosen.name
}

// commonShare returns the part of the characters beyond ASCII that are common in the language of an encoding, 0 if
// the bytes are not valid in it. The last character of a sample may be cut off.
func (e *legacyEncoding) commonShare(sample []byte) float64 {
	decoded, err := e.encoding.NewDecoder().Bytes(sample)
	if err != nil {
		return 0
	}
	beyond, common := 0, 0
	for i, r := range string(decoded) {
		switch {
		case r == utf8.RuneError && len(decoded)-i > 6:
			return 0
		case r < utf8.RuneSelf:
			continue
		}
		beyond++
		if strings.ContainsRune(e.common, r) {
			common++
		}
	}
	if beyond == 0 {
		return 0
	}
	return float64(common) / float64(beyond)
}

// readsLikeLatin reports whether data reads like a European language in Windows-1252, of which Latin-1 is a part:
// characters beyond ASCII stand alone or in short runs between ASCII letters and blanks, and inside of a word they
// are letters.
func readsLikeLatin(data []byte) bool {
	const longestRun = 3
	run := 0
	for i, c := range data {
		if c < utf8.RuneSelf {
			run = 0
			continue
		}
		run++
		r := charmap.Windows1252.DecodeByte(c)
		if run > longestRun || r == utf8.RuneError || 0x80 <= r && r < 0xa0 {
			return false
		}
		insideWord := i > 0 && i+1 < len(data) && isASCIILetter(data[i-1]) && isASCIILetter(data[i+1])
		if insideWord && !unicode.IsLetter(r) && !strings.ContainsRune("’·\u00ad–—…", r) {
			return false
		}
	}
	return true
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
