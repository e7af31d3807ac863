// Package welcome draws the page of an empty chat: on the first run the things found on this machine,
// and the starters for a question, as much of both as fits. It is drawn from a [Page], which is a
// value; each row has the request of a click on it.
package welcome
