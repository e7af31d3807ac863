// Command ibid is a terminal chat client over a markdown vault.
package main

func main() {}
