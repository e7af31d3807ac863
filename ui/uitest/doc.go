// Package uitest is a robot at the keyboard of the screen: tests press keys and
// look at what stands there.
//
// A [Robot] drives a ui.Model in process, without a terminal, inside a bubble of
// testing/synctest ([Play] makes one): commands run as they would in a program,
// the clock is false, and after each key the robot waits until nothing can
// happen any more without time passing. So a script of keys gives the same
// screens on every run, a second of waiting takes no time, and a goroutine that
// outlives the screen fails the test.
//
// Every frame is checked: as many rows as the screen has, none wider, and no
// escape sequence but styles and hyperlinks.
//
// A Robot belongs to the goroutine of its test.
package uitest
