// Package altered holds a test in a process of its own: traces that somebody has altered go through everything that shows a trace.
package altered
