package stem

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// stemmers are of Snowball: those for languages with Latin letters, then the one for Cyrillic
// letters, which are taken as Russian.
var stemmers = []func(*snowballstem.Env) bool{english.Stem, german.Stem, french.Stem, stemSpanish, russian.Stem}

// stemSpanish knows the ending of "nación" without its accent, too.
func stemSpanish(env *snowballstem.Env) bool {
	if word, ok := strings.CutSuffix(env.Current(), "cion"); ok {
		env.SetCurrent(word + "ción")
	}
	return spanish.Stem(env)
}

// Of returns the stems of a word in the languages with its letters, each once; of a word without
// stems, the word.
func Of(word string) (stems []string) {
	other := func(first, last rune) bool {
		return strings.ContainsFunc(word, func(r rune) bool { return r < first || r > last })
	}
	latin := len(stemmers) - 1
	in := stemmers[:latin]
	switch {
	case utf8.RuneCountInString(word) < 3, other('a', 'z') && other('а', 'я'):
		return []string{word}
	case other('a', 'z'):
		in = stemmers[latin:]
	}
	for _, stem := range in {
		env := snowballstem.NewEnv(word)
		stem(env)
		stems = append(stems, env.Current())
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// SameStem reports whether two words are forms of one in some language.
func SameStem(a, b string) bool {
	stems := Of(b)
	return slices.ContainsFunc(Of(a), func(stem string) bool { return slices.Contains(stems, stem) })
}

// languages has the language of each list of common words.
var languages = []string{"English", "German", "French", "Spanish", "Russian", "Chinese"}

// common has the words that are in most texts, with their language or several. Of Chinese and
// Japanese it has the runes of such words.
var common = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for i, list := range []string{
		`a about after all also am an and any are as at be because been before being but by can cannot could did do does doing
		for from get got had has have having he her here him his how i if in into is it its just like make me my no not of off on
		or our out over own shall she should so some such than that the their them then there these they this those to too up us
		very was we were what when where which while who whom whose why will with would you your`,
		`aber alle als also am an auch auf aus bei bin bis da damit dann das dass dem den denn der des die dies diese diesem diesen
		dieser dieses doch dort du ein eine einem einen einer eines er es fur gegen habe hast hat hatte haben hier ich ihm ihn ihr ihre im in
		ist ja kann kein keine konnen man mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine sich
		sie sind so soll uber um und uns unser unter viel vom von vor wann war waren warum was weil welche welcher welches wenn
		wer werden wurde wurden wie wieder will wir wird wo zu zum zur`,
		`a afin ai alors apres au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux chez comme comment d dans de
		des donc du elle elles en est et etaient etait ete etre eu faire fait font il ils j je l la le les leur leurs lui m ma mais
		me meme mes mon n ne nos notre nous on ont ou par pas peu peut plus pour pourquoi qu quand que quel quelle qui quoi s sa
		sans se ses si son sont sous sur t ta te tes toi ton tous tout toute tres tu un une vos votre vous y`,
		`a al algo ante antes aqui aquel asi aun aunque cada como con contra cual cuando de del desde donde dos e el ella ellas
		ellos en entre era eran es esa ese eso esta estaba estan estar este esto fue ha hace han hasta hay la las le les lo los mas
		me mi mis mucho muy nada ni no nos nosotros o otra otro para pero poco por porque que quien se sea segun ser si sin sobre
		son su sus tambien tan tanto te tiene todo todos tu un una uno unos y ya yo`,
		`а без бы был была были было быть в вам вас весь во вот все всего вы где да даже для до его ее если есть еще же за и из
		или им их к как когда который ли либо мне мы на над надо нас не него нее нет ни них но о об он она они от очень по под при с
		со так также там то того тоже только том ты у уже хотя чего чей чем что чтобы чье эта эти это этот я`,
		`的 了 是 吗 呢 么 吧 和 在 有 怎 如 何 什 为 要 我 你 他 她 它 们 这 那 哪 个 对 很 多 会 可 以 也 就 都 与 或 及 把 被 让 用 做 少
		は が を に で と の も へ や か で す ま`,
	} {
		for _, w := range strings.Fields(list) {
			if m[w] == "" {
				m[w] = languages[i]
			}
			if m[w] != languages[i] {
				m[w] = several
			}
		}
	}
	return m
})

// several stands for more than one language.
const several = "several"

// Common reports whether word is in most texts of a language.
func Common(word string) bool { return common()[word] != "" }

// scripts are of one language each, or taken as that.
var scripts = []struct {
	of       *unicode.RangeTable
	language string
}{{unicode.Han, "Chinese"}, {unicode.Hiragana, "Japanese"}, {unicode.Katakana, "Japanese"}, {unicode.Hangul, "Korean"}}

// Language returns the language of a word by its script or, if it is common in one language only, that
// one; "" for most words.
func Language(word string) string {
	r, _ := utf8.DecodeRuneInString(word)
	for _, s := range scripts {
		if unicode.Is(s.of, r) {
			return s.language
		}
	}
	return strings.TrimSuffix(common()[word], several)
}
