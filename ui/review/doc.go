// Package review has the pages that show a change before it is made: for a question of a turn's tool
// ([Ask]), for a change that the user asked for ([NewPage]), and for taking one back ([NewTakeBack]).
//
// No key answers until the keyboard was quiet for a moment, and the first yes scrolls to rows that were
// not visible yet instead of answering. The pages depend on a turn only through its questions ([Turn]);
// an answer is a message for the screen: [Answer], [AgreedChange]. They belong to the loop of the program.
package review
