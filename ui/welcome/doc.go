// Package welcome is the page of an empty chat: on the first run what was found on this
// machine, and what could be asked, as much of both as there are rows for. It is drawn from
// a [Page], which is a value; each row says what a click on it asks for.
package welcome
