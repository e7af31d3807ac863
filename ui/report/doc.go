// Package report analyses a request for the inspector, the ribbon and the rail: its layers, its
// library, the references that were not sent and the results that were dropped. It has only functions
// of values.
package report
