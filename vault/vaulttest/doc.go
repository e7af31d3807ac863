// Package vaulttest makes real vaults for tests: folders of notes in a temporary place, described by a txtar
// archive. Its helpers change notes on disk as an editor does, without the vault's methods.
package vaulttest
