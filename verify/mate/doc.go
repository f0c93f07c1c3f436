// Package mate finds the shortest forced mate by search.
package mate
