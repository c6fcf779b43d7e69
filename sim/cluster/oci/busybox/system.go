package busybox

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// formats are the directives of date.
var formats = map[byte]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'N': "000000000", 'F': "2006-01-02", 'T': "15:04:05", 'Z': "MST",
	'a': "Mon", 'b': "Jan", 'e': "_2", 'y': "06", 'z': "-0700",
}

// date prints the virtual date, in UTC.
func date(p *oci.Process) int {
	now, format := p.Now().UTC(), ""
	for _, word := range p.Args[1:] {
		if strings.HasPrefix(word, "+") {
			format = word[1:]
		}
	}
	if format == "" {
		fmt.Fprintln(p.Stdout, now.Format("Mon Jan _2 15:04:05 MST 2006"))
		return 0
	}
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] != '%' || i+1 == len(format):
			out.WriteByte(format[i])
			continue
		case format[i+1] == 's':
			out.WriteString(strconv.FormatInt(now.Unix(), 10))
		case format[i+1] == 'N':
			fmt.Fprintf(&out, "%09d", now.Nanosecond())
		default:
			out.WriteString(now.Format(formats[format[i+1]]))
		}
		i++
	}
	fmt.Fprintln(p.Stdout, out.String())
	return 0
}

// env prints the environment, or runs a command in another one.
func env(p *oci.Process) int {
	words, other := p.Args[1:], *p
	other.Env = slices.Clone(p.Env)
	for len(words) > 0 {
		name, _, isVariable := strings.Cut(words[0], "=")
		if words[0] == "-i" {
			other.Env = nil
		} else if !isVariable {
			break
		} else {
			other.Env = slices.DeleteFunc(other.Env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
			other.Env = append(other.Env, words[0])
		}
		words = words[1:]
	}
	if len(words) > 0 {
		other.Args = words
		return Run(&other)
	}
	for _, variable := range other.Env {
		fmt.Fprintln(p.Stdout, variable)
	}
	return 0
}

// expr calculates with two numbers, or compares two words.
func expr(p *oci.Process) int {
	words := p.Args[1:]
	if len(words) != 3 {
		return complain(p, "only expr NUMBER OPERATOR NUMBER is known here")
	}
	result := 0
	a, errA := strconv.Atoi(words[0])
	b, errB := strconv.Atoi(words[2])
	switch operator := words[1]; {
	case operator == "=" || operator == "!=":
		if (words[0] == words[2]) == (operator == "=") {
			result = 1
		}
	case errA != nil || errB != nil || (operator == "/" || operator == "%") && b == 0:
		return complain(p, "non-numeric argument, or division by zero") + 1
	case operator == "+":
		result = a + b
	case operator == "-":
		result = a - b
	case operator == "*":
		result = a * b
	case operator == "/":
		result = a / b
	case operator == "%":
		result = a % b
	default:
		return complain(p, "unknown operator %q", operator) + 1
	}
	fmt.Fprintln(p.Stdout, result)
	if result == 0 {
		return failed
	}
	return 0
}

func printenv(p *oci.Process) int {
	if len(p.Args) == 1 {
		return env(p)
	}
	status := 0
	for _, name := range p.Args[1:] {
		if !slices.ContainsFunc(p.Env, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			status = failed
			continue
		}
		fmt.Fprintln(p.Stdout, p.Getenv(name))
	}
	return status
}

// hostname prints the name of the Pod; with -f the one that /etc/hosts has for it, and with -i its address.
func hostname(p *oci.Process) int {
	name := p.Container.Hostname
	if len(p.Args) > 1 {
		switch p.Args[1] {
		case "-i", "-I":
			fmt.Fprintln(p.Stdout, strings.Join(p.Container.Addresses, " "))
			return 0
		case "-f":
			hosts, _ := p.ReadFile("/etc/hosts")
			for _, line := range lines(string(hosts)) {
				if fields := strings.Fields(line); len(fields) > 1 && slices.Contains(p.Container.Addresses, fields[0]) {
					name = fields[1]
				}
			}
		}
	}
	fmt.Fprintln(p.Stdout, name)
	return 0
}

// id prints identifiers: root and those of the securityContext have no other names.
func id(p *oci.Process) int {
	c := p.Container
	groups := []string{}
	for _, group := range slices.Compact(slices.Concat([]int64{c.Group}, c.Groups)) {
		groups = append(groups, strconv.FormatInt(group, 10))
	}
	option := ""
	if len(p.Args) > 1 {
		option = p.Args[1]
	}
	switch option {
	case "-u":
		fmt.Fprintln(p.Stdout, c.User)
	case "-g":
		fmt.Fprintln(p.Stdout, c.Group)
	case "-G":
		fmt.Fprintln(p.Stdout, strings.Join(groups, " "))
	case "-un":
		return whoami(p)
	default:
		fmt.Fprintf(p.Stdout, "uid=%s gid=%s", named(c.User), named(c.Group))
		for i, group := range slices.Compact(slices.Concat([]int64{c.Group}, c.Groups)) {
			fmt.Fprint(p.Stdout, map[bool]string{true: " groups=", false: ","}[i == 0], named(group))
		}
		fmt.Fprintln(p.Stdout)
	}
	return 0
}

// named is an identifier, with its name if it has one.
func named(n int64) string {
	if n == 0 {
		return "0(root)"
	}
	return strconv.FormatInt(n, 10)
}

func whoami(p *oci.Process) int {
	if p.Container.User != 0 {
		return complain(p, "unknown uid %d", p.Container.User)
	}
	fmt.Fprintln(p.Stdout, "root")
	return 0
}

// nproc prints one: no program of a simulation is slow.
func nproc(p *oci.Process) int {
	fmt.Fprintln(p.Stdout, 1)
	return 0
}

// sysctl prints those of the Pod's securityContext, and 0 for others.
func sysctl(p *oci.Process) int {
	for _, name := range p.Args[1:] {
		if strings.HasPrefix(name, "-") {
			continue
		}
		value := "0"
		if context := p.Container.Pod.Spec.SecurityContext; context != nil {
			for _, s := range context.Sysctls {
				if strings.ReplaceAll(s.Name, "/", ".") == name {
					value = s.Value
				}
			}
		}
		fmt.Fprintf(p.Stdout, "%s = %s\n", name, value)
	}
	return 0
}

// timeout is timeout DURATION COMMAND [ARGUMENT]...
func timeout(p *oci.Process) int {
	words := slices.DeleteFunc(slices.Clone(p.Args[1:]), func(word string) bool { return word == "-t" })
	if len(words) < 2 {
		return complain(p, "usage: timeout DURATION COMMAND [ARGUMENT]...")
	}
	d, err := durationOf(words[0])
	if err != nil {
		return complain(p, "invalid number '%s'", words[0])
	}
	other := *p
	other.Args = words[1:]
	ctx, cancel := context.WithTimeout(p.Context, d)
	defer cancel()
	other.Context = ctx
	status := Run(&other)
	const byTimeout = 143
	if ctx.Err() != nil {
		return byTimeout
	}
	return status
}

// uname prints what the machine of a node calls itself.
func uname(p *oci.Process) int {
	values := map[string]string{"-s": "Linux", "-n": p.Container.Hostname, "-r": "6.12.0", "-m": "x86_64"}
	values["-a"] = strings.Join([]string{values["-s"], values["-n"], values["-r"], values["-m"], "Linux"}, " ")
	option := "-s"
	if len(p.Args) > 1 {
		option = p.Args[1]
	}
	fmt.Fprintln(p.Stdout, values[option])
	return 0
}

func which(p *oci.Process) int {
	status := 0
	for _, name := range p.Args[1:] {
		if Find(name) == nil {
			status = failed
			continue
		}
		fmt.Fprintln(p.Stdout, path.Join("/bin", name))
	}
	return status
}

// patience is how long a client of the network waits if nobody says how long.
const patience = 30 * time.Second
