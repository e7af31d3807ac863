package tool

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"ibid/vault/dates"
	"ibid/vault/index"
)

// Words returns the words of a message to search notes for, without the most frequent words. It returns none for a
// message about the previous reply, such as "thanks" or "as a table", and the name of the time for a message that
// names nothing else. See chains.Toolbox.
func Words(text string) []string {
	rest, when, _ := dates.Cut(text, time.Now())
	words := index.SignificantWords(rest)
	switch {
	case !slices.ContainsFunc(words, func(w string) bool { return !inList(replyWords, w) }) && when == "":
		return nil
	case !hasSubject(rest) && when != "":
		return []string{when}
	}
	return words
}

// NamesTime reports whether a text names a time. See chains.Toolbox.
func NamesTime(text string) bool {
	_, when, _ := dates.Cut(text, time.Now())
	return when != ""
}

// hasSubject reports whether a text contains words to search for, besides a time or a folder. In scripts without
// spaces that is any text except the words in doingsJoined.
func hasSubject(text string) bool {
	text = doingsJoined.Replace(text)
	return strings.ContainsFunc(text, func(r rune) bool { return r >= firstJoined && unicode.IsLetter(r) }) ||
		slices.ContainsFunc(index.SignificantWords(text), func(w string) bool {
			return !inList(replyWords, w) && !inList(deedWords, w)
		})
}

// firstJoined is the first rune of the scripts without spaces.
const firstJoined = 0x2E80

// doingsJoined replaces by spaces the words, in scripts without spaces, of questions about what somebody did or
// wrote at some time. Of overlapping words it replaces the longest.
var doingsJoined = func() *strings.Replacer {
	words := strings.Fields(
		"什么 怎么 怎样 哪些 哪里 哪 谁 何时 发生 事情 事 做 写 修改 编辑 更新 创建 新建 改 记录 记 笔记 日记 完成 工作 干 去 过 了 的 我们 我 你 有 是 在 里 都 些 吗 呢 啊 给 看 列出 请 把 总结 概括 一下" +
			" しました していた している して したか した します し やりました やった やり 書きました 書いていた 書いた 書き 変更 編集 更新 作成 作りました 作った 起きました 起きた 起こった ありました あった" +
			" ノート メモ 日記 記録 教えて ください 見せて まとめて 要約 一覧 何か 何 なに どんな こと もの 私 ですか ですが です ました ます たか は を が に で の と も か へ や た")
	pairs := make([]string, 0, 2*len(words))
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}()

func inList(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// Lists of words as package index folds them: those of messages about the previous reply, and those of questions
// about what somebody did or wrote.
const (
	replyWords = " thanks thank please ok okay yes yeah great nice perfect cool hello hi hey sorry shorter longer short long again less continue go now really sure right exactly" +
		" explain summarize summarise rewrite rephrase translate shorten expand elaborate simplify detail details answer reply sentence sentences bullet bullets table list points tell say" +
		" danke bitte kurzer langer kurz lang weiter mach mehr weniger nochmal genauer ja gut super fass fasse zusammen zusammenfassen ubersetze ubersetz jetzt wirklich genau tabelle liste satz satze satzen stichpunkte erklar erklare" +
		" merci maintenant vraiment court courte long longue continue encore oui bien resume traduis tableau phrase phrases explique plait" +
		" gracias ahora corto larga largo sigue continua vez bien resume resumelo traduce tabla lista frase frases explica favor" +
		" спасибо теперь сейчас короче дальше еще да нет продолжай подробнее пожалуйста хорошо" +
		" 谢谢 继续 短一 一点 点吧 更短 简短 短些 详细 细一 总结 翻译 再说 说一 一遍 一下 表格 列表 "
	deedWords = " happen happened happens done did make made change changed changes edit edited edits modify modified update updated create created add added show shown list file files write wrote written note notes noted entry entries diary journal daily log logs work worked working finish finished plan planned going went" +
		" passiert passierte geschah geschehen gemacht getan tat machte schrieb geandert verandert bearbeitet erstellt aktualisiert zeig zeige geschrieben notiert notiz notizen tagebuch los erledigt" +
		" passe fait faite modifie change edite cree montre ecrit ecrire note notes journal arrive" +
		" paso hice hizo hecho cambio cambie edite edito modifique modifico muestra escribio escribi escrito nota notas diario ocurrio" +
		" случилось делал сделал писал написал записи "
)
