// With this file, the compiler takes a function without a body for one that is defined elsewhere: in the runtime.
