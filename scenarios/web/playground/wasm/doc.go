// Wasm is the program in the Web Worker of the playground: one request, one instance. The worker (worker.js) puts the request where the
// program finds it, starts an instance, and gets the answers by calls. A program that has answered ends, and its memory with it.
//
// The object globalThis.kubestep has
//
//	request    the request as JSON, with a type of package playground's documentation
//	archives   the traces that the request is about, each a Uint8Array
//	post       a function of an answer as JSON, and of a Uint8Array that belongs to it or null
//
// make web compiles it for js/wasm with the runtime of the exact build, and with the stand-ins of sim/toolchain/exact/wasmflags.
package main
