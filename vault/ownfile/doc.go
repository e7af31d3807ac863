// Package ownfile reads and replaces the files that ibid keeps outside of the vault: configuration, keys,
// state. A person may have put anything in the place of a file. So anything but a regular file is an error
// before it is opened, since reading it might never end.
package ownfile
