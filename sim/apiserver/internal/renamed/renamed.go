// Package renamed has types of upstream's which another version of Kubernetes has under another name, where all that kubestep
// does with one is the same.
package renamed
