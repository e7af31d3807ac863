package stem

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// Languages is a set of languages.
type Languages uint8

// The languages. A word in Cyrillic letters is taken as Russian.
const (
	English Languages = 1 << iota
	German
	French
	Spanish
	Russian
	count = iota

	Any = 1<<count - 1
)

// stemmers are those of Snowball, by language.
var stemmers = [count]func(*snowballstem.Env) bool{
	english.Stem, german.Stem, french.Stem, spanish.Stem, russian.Stem,
}

// In gives the stem of a word in one language: the word itself, if it can be none of
// it. A word in Cyrillic letters is Russian.
func In(word string, in Languages) string {
	could := alphabet(word)
	if could == Russian {
		in = Russian
	}
	if could&in == 0 {
		return word
	}
	return stemWord(bits.TrailingZeros8(uint8(in)), word)
}

// Of gives the stems of a word in some languages, each once.
func Of(word string, in Languages) (stems []string) {
	for i := range stemmers {
		if in&(1<<i) != 0 {
			stems = append(stems, In(word, 1<<i))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// Same reports whether two words are forms of one in some language.
func Same(a, b string) bool {
	for in := English; in <= Russian; in <<= 1 {
		if In(a, in) == In(b, in) {
			return true
		}
	}
	return false
}

// stemWord is the stem of a word in one language. The stemmer for Spanish knows
// the ending of "nación" with its accent only.
func stemWord(language int, word string) string {
	if 1<<language == Spanish && strings.HasSuffix(word, "cion") {
		word = word[:len(word)-4] + "ción"
	}
	env := snowballstem.NewEnv(word)
	stemmers[language](env)
	return env.Current()
}

// alphabet is the languages that write with the letters of word.
func alphabet(word string) Languages {
	in := Languages(Any)
	letters := 0
	for _, r := range word {
		switch {
		case 'a' <= r && r <= 'z':
			in &^= Russian
		case 'а' <= r && r <= 'я':
			in &= Russian
		default:
			return 0
		}
		letters++
	}
	if letters < 3 {
		return 0
	}
	return in
}

// common has the words that tell nothing of what a text is about, by language.
var common = sync.OnceValue(func() map[string]Languages {
	m := map[string]Languages{}
	for i, list := range [count]string{
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
	} {
		for _, w := range strings.Fields(list) {
			m[w] |= 1 << i
		}
	}
	return m
})

// Common reports whether word is one that stands in most texts of a language.
func Common(word string) bool { return common()[word] != 0 }

// enough is how many common words tell a language.
const enough = 3

// Detect tells the language of a text from the common words in it; 0 if there are
// too few of them or they are of several.
func Detect(words []byte) Languages {
	var seen [count]int
	table := common()
	for word := range bytes.FieldsSeq(words[:min(len(words), 2000)]) {
		in := table[string(word)]
		for i := range seen {
			if in&(1<<i) != 0 {
				seen[i]++
			}
		}
	}
	first := 0
	for i, n := range seen {
		if n > seen[first] {
			first = i
		}
	}
	for i, n := range seen {
		if i != first && 4*n > 3*seen[first] {
			return 0
		}
	}
	if seen[first] < enough {
		return 0
	}
	return 1 << first
}
