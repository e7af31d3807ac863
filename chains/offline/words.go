package offline

import "strings"

// The words that carry no topic of their own, folded. They are few on purpose:
// a word that every passage holds weighs nothing anyway, and these are the ones
// that a small context cannot tell from a topic. English, German, French,
// Spanish and Russian.
var stopWords = words(`
a about again all also am an and any are as at be been but by can cant could did do does dont for from had has have he her him
his how i id if im in into is isnt it its just ill let lets may me might more most much my no not of off on one or our
out over please shall she should so some such than that thats the their them then there theres these they this those
through to too under up upon us very was we were what whats when where which while who whom whose why will with would
you your
anything briefly ever describe everything explain exactly find give hello hi know look mean mention quote say said show
something talk tell thanks thing think want wonder

aber alle als am an auch auf aus bei bin bis bitte da damit dann das dass dein dem den der des die dies dieser dieses
doch du durch ein eine einem einen einer eines er es fur gibt hat hatte ich ihr im in ins ist ja jede jeder kann kein
keine konnen man mehr mein mich mir mit muss nach nicht noch nur oder ob sagt sagen schon sein sich sie sind so soll
steht uber um und uns unser unter vom von vor wann warum was weil welche welchen welcher welches wenn wer werden wie
waren wieder wir wird wo worden wurde wurden wozu zu zum zur zwischen erklare erzahl zeig zeige

au aux avec ce ces cette comment dans des du elle en est et eux il ils je la le les leur lui mais moi ne nous ou par
pas pour pourquoi qu quand que quel quelle quelles quels qui quoi sa se ses son sont sur ta te tu un une vous

como con cual cuales cuando de del donde el ella en es esta este esto hay la las lo los mi para pero por porque que
quien se si sin sobre son su sus una unas uno unos y yo

а без бы в во вот вы где да для до его ее если есть еще ж же за и из или им их к как какая какие какой когда кто ли мне
мы на не него нет но о об он она они от по под почему при про с со так такое там то тоже только ты у что чтобы эта эти
это я`)

// Words that say little, but may be what a question is about.
var weakWords = words(`
another best better case different document file get good happen happens happened help important kind know list like main make many need
new note notes order part place possible read run see set start state sure sort take text thing things try turn use used
using way ways well work works write
datei dokument gut machen mache macht neu notiz notizen seite text tun
fichier nota notas заметка заметки заметке`)

// Pairs of characters that ask, in scripts without spaces.
var stopPairs = words(`
什么 怎么 怎样 如何 哪些 哪个 哪里 为什 为何 么样 这个 那个 这些 那些 这篇 是否 可以 我们 你们 他们 一个 请问 关于 有关 告诉 诉我 说了 写了
何で なに です ます した する いる ある から まで とは って この その あの ので には では について つい いて`)

const weakWeight = 0.3

// weightOf a folded word in a question: 0 for stop words.
func weightOf(word string) float64 {
	switch {
	case stopWords[word]:
		return 0
	case weakWords[word]:
		return weakWeight
	}
	return 1
}

// Words by which a person asks for a summary, folded.
var summaryWords = words(`summarize summarise summarized summarised summarizing summary summaries overview tldr gist recap
synopsis zusammenfassen zusammenfassung fasse uberblick resumen resumer кратко резюме`)

// The same in scripts without spaces, and phrases.
var summaryPhrases = []string{"总结", "概括", "摘要", "概述", "總結", "要約", "まとめ", "요약", "key points", "main points", "tl;dr", "in short"}

// listing is what a person may ask for a list of.
type listing uint8

const (
	noListing listing = iota
	headings
	tasks
	items
	links
	tags
)

var listingWords = map[string]listing{
	"heading": headings, "headings": headings, "outline": headings, "sections": headings, "chapters": headings,
	"uberschriften": headings, "gliederung": headings, "abschnitte": headings,
	"task": tasks, "tasks": tasks, "todo": tasks, "todos": tasks, "checkboxes": tasks, "aufgabe": tasks, "aufgaben": tasks,
	"item": items, "items": items, "bullets": items, "listenpunkte": items, "stichpunkte": items,
	"link": links, "links": links, "wikilinks": links, "verweise": links,
	"tag": tags, "tags": tags, "hashtags": tags, "schlagworte": tags,
}

// Words that begin a request for a list, and words that may stand between
// that word and the thing asked for. openWords and doneWords also choose.
var (
	listVerbs   = words(`list show enumerate give name collect what which whats liste zeige zeig nenne welche was`)
	listFillers = words(`all any are at every from full in is it its me my of open our please still that the there these
		this to up alle auf die das den der es gibt im in mir noch sind`)
	openWords = words(`open unfinished remaining undone left pending outstanding incomplete offen offene offenen unerledigte`)
	doneWords = words(`done finished completed complete closed ticked checked erledigt erledigte fertige`)
)

// ordinals by which a follow-up names one item of a list, folded.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
	"erste": 1, "ersten": 1, "zweite": 2, "zweiten": 2, "dritte": 3, "dritten": 3, "vierte": 4, "vierten": 4, "funfte": 5, "funften": 5,
	"last": lastOne, "letzte": lastOne, "letzten": lastOne,
}

// lastOne stands for the last item of a list, however long it is.
const lastOne = -1

// Words that begin a question which leans on the one before, and pronouns that
// make a short one lean.
var (
	followWords = words(`and also but or then und auch oder aber dann et y e а и`)
	pronouns    = words(`it its that those them they this these he she one ones other others er sie es das`)
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
