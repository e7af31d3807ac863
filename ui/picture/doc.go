// Package picture draws images as text: each cell shows two pixels, one above the other.
//
// Decode scales a large image down once. Lines fits the small image to a width, at the cost of the
// cells that it draws. Measure reads only the size. All of them are pure. The memory for decoding is
// limited: the size of the image is checked before, so that a small file cannot need a lot of memory.
//
// # Concurrency
//
// A Picture is never changed. The package starts no goroutines.
package picture
