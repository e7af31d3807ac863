// Package ownfile reads and replaces the files that ibid keeps outside of the vault:
// configuration, keys, state. A file can be anything that a person put there, so that
// what is no regular file, which might never end, is an error before it is opened.
package ownfile
