// Package album has the images of a vault that a chat embeds or that were sent with it. They are read
// in the background, and again when their file has changed; drawing the chat looks them up. Both may
// use an [Album] at once.
package album
