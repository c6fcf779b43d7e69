package svg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
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
			p.color = palette.RGB(n - 30)
		case n >= 90 && n <= 97:
			p.color = palette.RGB(n - 90 + 8)
		case n == 38 && value(i+1) == 5:
			p.color = palette.RGB(value(i + 2))
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
