package svg

import (
	"fmt"
	"strconv"
	"strings"
)

// set follows a sequence of ANSI's attributes: 0 resets, 1 is bold, 38;5;N a color of 256, 38;2;R;G;B any.
func (p pen) set(parameters string) pen {
	codes := strings.Split(parameters, ";")
	value := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, _ := strconv.Atoi(codes[i])
		return n
	}
	for i := 0; i < len(codes); i++ {
		switch n := value(i); {
		case n == 0:
			p = pen{}
		case n == 1:
			p.bold = true
		case n == 22:
			p.bold = false
		case n == 39:
			p.color = ""
		case n >= 30 && n <= 37:
			p.color = indexed(n - 30)
		case n >= 90 && n <= 97:
			p.color = indexed(n - 90 + 8)
		case n == 38 && value(i+1) == 5:
			p.color = indexed(value(i + 2))
			i += 2
		case n == 38 && value(i+1) == 2:
			p.color = fmt.Sprintf("#%02x%02x%02x", value(i+2), value(i+3), value(i+4))
			i += 4
		}
	}
	return p
}

func (p pen) or(ink string) string {
	if p.color == "" {
		return ink
	}
	return p.color
}

// basic are the first 16 colors, as xterm has them.
var basic = []string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#1e90ff", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}

// indexed is one of xterm's 256 colors: 16 basic ones, a cube of 6 by 6 by 6, and 24 greys.
func indexed(n int) string {
	switch {
	case n < 0 || n > 255:
		return ""
	case n < 16:
		return basic[n]
	case n < 232:
		n -= 16
		level := func(i int) int {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
