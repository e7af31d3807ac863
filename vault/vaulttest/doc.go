// Package vaulttest makes real vaults for tests: folders of notes in a
// temporary place, described by a txtar archive. Its helpers change the notes
// the way an editor does, behind the vault's back.
package vaulttest
