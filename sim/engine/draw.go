package engine

import "time"

// draws generates pseudo-random numbers that depend on names instead of on the order of calls: the n-th draw for a key
// is a function of seed, key and n. A request that is added to a scenario therefore does not change the latencies of
// others.
type draws struct {
	seed  uint64
	count map[uint64]uint64
}

func newDraws(seed uint64) draws { return draws{seed: seed, count: map[uint64]uint64{}} }

// next returns the next number for key.
func (d draws) next(key string) uint64 {
	h := hash(d.seed, key)
	n := d.count[h]
	d.count[h] = n + 1
	return mix(h ^ mix(n+1))
}

// duration draws from lo to hi, both included.
func (d draws) duration(key string, lo, hi time.Duration) time.Duration {
	if hi <= lo {
		return lo
	}
	return lo + time.Duration(d.next(key)%uint64(hi-lo+1))
}

// Hash maps a name to 64 evenly spread bits, differently for each seed.
func Hash(seed uint64, name string) uint64 { return hash(seed, name) }

// HashKey is Hash of the key that client-go gives to an object, "namespace/name" or "name", without making that text.
func HashKey(seed uint64, namespace, name string) uint64 {
	h := begin(seed)
	if namespace != "" {
		h = fold(fold(h, namespace), "/")
	}
	return mix(fold(h, name))
}

// Fraction maps 64 bits to [0, 1). A float64 holds 53 bits exactly.
func Fraction(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// hash is FNV-1a with the seed as its start value, finalized by mix.
func hash(seed uint64, s string) uint64 { return mix(fold(begin(seed), s)) }

func begin(seed uint64) uint64 { return mix(seed) ^ 14695981039346656037 }

func fold(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix is the finalizer of the splitmix64 generator (Steele, Lea, Flood 2014): it spreads every input bit
// over all output bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}
