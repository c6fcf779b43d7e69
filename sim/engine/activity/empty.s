// This file is empty on purpose: with an assembly file in the package, the compiler accepts
// goroutineLabel without a body.
