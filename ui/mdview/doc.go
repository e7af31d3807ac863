// Package mdview shows markdown in a terminal, also while it is still being written.
//
// A View turns a document into lines. The document may arrive in pieces, at a cost that depends on the
// new text, not on the whole: a 70 kB reply that streams in costs about as much as rendering it a few
// times, not as much as rendering it once for every piece. The Views of one theme share a Renderer.
//
// # How
//
// A document is a row of units: top-level blocks, and the items of top-level lists. A unit is built
// once into boxes (glamour styles the text of each paragraph, heading and cell; source code is
// highlighted) and laid out once per width, which only wraps. While a document streams, complete lines
// are parsed from the last open unit on, and every unit that no later line can change is closed for
// good. The rest, the tail, is rendered again each time it is asked for:
//
//   - prose and list items in full, since they are short; emphasis that is open at their end is shown as if it
//     were closed there, and a link or the like that is open is left out until it is closed;
//   - an open code fence as plain text, one line at a time, highlighted when it closes, or with
//     Options.Lazy when it is visible: heights need no colours;
//   - an open table, and any tail above 8 kB, as source text.
//
// A text of one block above 8 kB, a table with too many cells, and marks of blocks that nest too deep
// are shown as source text in the complete document, too: their cost grows with the square of their
// size.
//
// If rendering the tail took t, it is not rendered again before 4t have passed.
//
// Finish renders the document as a whole. Closed units are found by a hash of their source and reused;
// everything that the stream showed differently (a link whose definition came last) is replaced. So
// after Finish a View always equals one that got the same text at once, in whatever pieces it came.
//
// # Dialect
//
// GitHub's markdown, and what Obsidian adds to it:
//
//   - wikilinks and embeds ([[note|label]], ![[image]]) are shown by their label or their target,
//     ==text== stands out, #tags are coloured, text between %% and %% is hidden;
//   - images are named with their size in pixels, or with the reason why they cannot be shown, and
//     those of the vault are drawn below their block where there are colours;
//   - callouts (> [!note] title), folded as in the source;
//   - footnotes stand at their place in the text, with superscript numbers;
//   - formulas between dollars, or between \( \) and \[ \], are drawn with signs in place of their
//     commands; prices are not formulas.
//
// Newlines within a paragraph stay, as they do in Obsidian. HTML is shown as text: a reply about List<T> must not
// lose its <T>, and nothing in a terminal could draw it.
//
// # Safety
//
// All text passes through theme.Sanitize first. Character references (&#27;) and backslash escapes are
// decoded in one place, decodeText, which makes the text safe once more, and what glamour renders
// passes theme.Unmarked. The only escape sequences in the output are the theme's styles and hyperlinks;
// the only control characters are the marks of wrapped lines, see theme.Wrap.
//
// # Concurrency
//
// Neither a Renderer nor a View is safe for concurrent use, not even two Views of one Renderer: they
// share glamour's state. There are no goroutines.
package mdview
