import { h } from "player";

// save gives the reader a file.
export function save(name, type, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
