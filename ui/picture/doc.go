// Package picture shows images as text: two pixels to a cell, one above the other.
//
// Decode makes a small image of a large one once; Lines fits that to a width, which
// costs as much as what it draws; Measure reads only the size. All are pure. What is
// decoded is bounded: the size of the image is read and checked first, so that a small
// file cannot ask for much memory.
//
// # Concurrency
//
// A Picture is never changed. There are no goroutines.
package picture
