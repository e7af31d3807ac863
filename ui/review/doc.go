// Package review is the pages on which a change is looked at before it is made: what a
// tool of a turn asks ([Ask]), a change that the user asked for ([NewPage]), one that is
// taken back ([NewTakeBack]), and the list of those that were made ([NewList]).
//
// Until the keyboard was quiet for a moment no key answers, and a yes goes on to what has
// not been on the screen before it is one. The pages know a turn by what it asks ([Turn]);
// an answer is a message for the screen: [Answer], [AgreedChange], [ListWrites]. They belong to
// the loop of the program.
package review
