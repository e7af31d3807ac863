// Package properties reads the properties at the top of a note and changes some of them:
// what is not changed keeps its bytes, comments and order included. YAML that is none is
// read property by property.
package properties
