// Package connect makes a chains.Model out of configuration.
//
// It knows the providers of a person: where they answer, which protocol they speak, which
// key goes there, which of their models answers, what it costs, and what was learned of
// their servers. Providers is one run's view of them. A link to a provider is made when
// something first asks for a model of it.
//
// What is configured comes in as values; this package reads no file but the hints of the
// state folder and the keys of the package keystore. What is wrong goes out as values too:
// findings, which whoever shows them puts into lines.
//
// Providers may be used by several goroutines.
package connect
