// Package keystore finds, keeps and removes the keys of providers: in the keyring
// of the system, else in a file that only its owner may read, and as the output of
// a command of the user's own.
//
// A key that was copied carries blanks and quotes along; they are taken off where
// it comes in. No error and no other text of this package holds a key. A system
// without a keyring is no error: the file takes its place.
//
// A Store is a value and may be used by several goroutines; two processes that
// change the file at the same moment do so one after the other.
package keystore
