// Package album holds the images of a vault that a chat embeds, or that went with it. They
// are read in the background, again when their file has changed, and looked up while the
// chat draws; an [Album] may be used by both at once.
package album
