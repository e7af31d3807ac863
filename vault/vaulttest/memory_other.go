//go:build !linux && !slow

package vaulttest

func memoryFolder() string { return "" }
