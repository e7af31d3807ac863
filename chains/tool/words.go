package tool

import (
	"slices"
	"strings"
	"time"

	"ibid/vault/index"
)

// Words are the words of a message that say what to look for in notes: those that
// stand in most texts are left out, and a message that is about the reply before,
// such as "thanks" or "as a table", has none. Where there is nothing but a time,
// that is what they are. See chains.Toolbox.
func Words(text string) []string {
	rest, when, _ := cutTimes(text, time.Now())
	words := index.Telling(rest)
	switch {
	case !slices.ContainsFunc(words, func(w string) bool { return !inList(talk, w) }) && when == "":
		return nil
	case !about(rest) && when != "":
		return []string{when}
	}
	return words
}

// Dated reports whether a text names a time. See chains.Toolbox.
func Dated(text string) bool {
	_, when, _ := cutTimes(text, time.Now())
	return when != ""
}

// about reports whether words say what to look for, besides a time or a folder.
func about(text string) bool {
	return slices.ContainsFunc(index.Telling(text), func(w string) bool { return !inList(talk, w) && !inList(doings, w) })
}

func inList(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// Words as package index folds them: of messages about the reply before, and of
// questions about what somebody did or wrote.
const (
	talk = " thanks thank please ok okay yes yeah great nice perfect cool hello hi hey sorry shorter longer short long again less continue go" +
		" explain summarize summarise rewrite rephrase translate shorten expand elaborate simplify detail details answer reply sentence sentences bullet bullets table list points tell say" +
		" danke bitte kurzer langer kurz lang weiter mach mehr weniger nochmal genauer ja gut super fass fasse zusammen zusammenfassen ubersetze ubersetz tabelle liste satz satze satzen stichpunkte erklar erklare" +
		" merci court courte long longue continue encore oui bien resume traduis tableau phrase phrases explique plait" +
		" gracias corto larga largo sigue continua vez bien resume resumelo traduce tabla lista frase frases explica favor" +
		" спасибо короче дальше еще да нет продолжай подробнее пожалуйста хорошо" +
		" 谢谢 继续 短一 一点 点吧 更短 简短 短些 详细 细一 总结 翻译 再说 说一 一遍 一下 表格 列表 "
	doings = " happen happened happens done write wrote written note notes noted entry entries diary journal daily log logs work worked working finish finished plan planned going went" +
		" passiert geschah geschehen gemacht getan geschrieben notiert notiz notizen tagebuch los erledigt" +
		" passe fait ecrit ecrire note notes journal arrive" +
		" paso hice hecho escribi escrito nota notas diario ocurrio" +
		" случилось делал сделал писал написал записи" +
		" 发生 笔记 日记 记录 写过 做过 "
)
