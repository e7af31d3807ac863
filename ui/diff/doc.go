// Package diff draws a change of a text: hunk by hunk, with line numbers, the words
// that differ marked, in one column or side by side.
//
// [Draw] and [Text] are pure functions. The texts may be anybody's: whatever they hold, a row is
// of the width that was asked for, and holds nothing but text and styles.
package diff
