//go:build !linux

package vaulttest

func memoryFolder() string { return "" }
