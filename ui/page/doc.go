// Package page has the parts that the pages over the conversation share: the interface [Page]; [Env],
// the values that a page may read; [Request], the actions that it can ask for; a [List] over a [Source]
// of rows; a [Question]; a [Guard], which prevents typed text from answering it; the [Pen], which draws
// rows.
//
// A page changes only itself and does no I/O; it returns a [Request] for everything else. Pages may
// only be used in the loop of the program.
package page
