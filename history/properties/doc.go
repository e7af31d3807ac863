// Package properties reads the properties at the top of a note and changes some of them: unchanged ones keep
// their bytes, comments and order. Invalid YAML is read property by property.
package properties
