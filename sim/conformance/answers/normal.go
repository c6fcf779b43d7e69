package answers

import (
	"bytes"
	"encoding/json"
	"net"
	"regexp"
	"strings"
)

// Normal is JSON in one line, with words for what differs between two servers that do the same.
func Normal(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "", err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(normalValue("", value))
	return strings.TrimSuffix(out.String(), "\n"), err
}

// words are what replaces a part of a text.
var words = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`\b(row|space|other)-[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "$1-xxxxx"},
	{regexp.MustCompile(`kube-api-access-[a-z0-9]{5}\b`), "kube-api-access-xxxxx"},
	{regexp.MustCompile(`(ResourceVersion in object meta: |ResourceVersion: |ResourceVersion in record \(|resourceVersion\\?":\\?")\d+`),
		"${1}RV"},
	{regexp.MustCompile(`(IPAddress[a-z.0-9]* \\?")[0-9.]+`), "${1}ADDRESS"},
	{regexp.MustCompile(`(clusterIPs?\\?":\[?\\?")[0-9.]+`), "${1}ADDRESS"},
}

func normalText(text string) string {
	for _, w := range words {
		text = w.pattern.ReplaceAllString(text, w.word)
	}
	return text
}

// normalValue is a value at a key of an object, or of a list at that key.
func normalValue(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			value[name] = normalValue(name, field)
		}
		return value
	case []any:
		for i, item := range value {
			value[i] = normalValue(key, item)
		}
		return value
	case string:
		return normalString(key, value)
	case json.Number:
		if key == "nodePort" || key == "healthCheckNodePort" {
			return json.Number("0")
		}
	}
	return value
}

// age is how a Table says for how long something exists.
var age = regexp.MustCompile(`^(\d+[smh])+$`)

func normalString(key, value string) string {
	switch {
	case value == "":
	case key == "resourceVersion" && value != "0":
		return "RV"
	case key == "continue":
		return "CONTINUE"
	case (key == "clusterIP" || key == "clusterIPs" || key == "cells" || key == "ip") && net.ParseIP(value) != nil:
		return "ADDRESS"
	case key == "cells" && age.MatchString(value):
		return "AGE"
	case key == "token":
		return "TOKEN"
	}
	return normalText(value)
}
