// Package uitest drives the screen in tests: they press keys and read what is on it.
//
// A [Robot] runs a ui.Model in process, without a terminal, inside a bubble of testing/synctest ([Play]
// makes one). Commands run as in a program, the clock is fake, and after each key the robot waits until
// nothing more can happen without time passing. So a script of keys gives the same screens on every
// run, waiting for a second takes no time, and a goroutine that outlives the screen fails the test.
//
// The robot checks every frame: it must have as many rows as the screen, none of them wider, and no
// escape sequence except styles and hyperlinks.
//
// A Robot may only be used in the goroutine of its test.
package uitest
