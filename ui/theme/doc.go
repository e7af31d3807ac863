// Package theme holds what every widget of the screen shares: colours by
// meaning, glyphs by meaning, and the one function that makes foreign text safe
// to show.
//
// A Theme is a value. New builds it from Options (dark or light, NO_COLOR,
// ASCII, colour depth) and nothing else: it reads no environment and asks no
// terminal, that is done once, at the top. A widget gets the Theme when it is
// made and again when it changes; it never keeps a style of its own in a
// package variable.
//
// Three layers stand on each other:
//
//   - Tokens name a colour by what it says (Text, Muted, Cached, Drifted).
//   - Styles are what the tokens look like where they are used.
//   - Glyphs say the same things again without colour. Whatever a colour tells,
//     a glyph or a word tells too, so a screen without colour loses nothing.
//
// # Foreign text
//
// Notes, replies, tool output, file names and error messages from elsewhere are
// foreign text: they may hold escape sequences that would move the cursor, write
// the clipboard or hide words. Every widget passes foreign text through Sanitize
// (or OneLine, for text that must stay on one line) before it styles it. Text
// that is already harmless comes back as it is, without an allocation.
//
// # Concurrency
//
// A Theme, its Styles and its Glyphs are immutable after New and may be shared
// by any number of goroutines. The functions of the package keep no state.
package theme
