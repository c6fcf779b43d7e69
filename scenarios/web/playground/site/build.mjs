// Bundles the page of the playground: node build.mjs --outdir=DIR. Everything is in the bundle; the page loads nothing from elsewhere.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "../../page");
const { values } = parseArgs({ options: { outdir: { type: "string" } } });
if (!values.outdir) {
  console.error("Error: --outdir is missing\nTry: npm run build -- --outdir=../../../../bin/web");
  process.exit(2);
}

// The player is that of the exported pages, put together from the same files and in the same way as by scenarios/web/page/html.go.
const player = {
  name: "player",
  setup(building) {
    building.onResolve({ filter: /^player$/ }, () => ({ path: "player", namespace: "player" }));
    building.onLoad({ filter: /.*/, namespace: "player" }, async () => {
      const files = (await readdir(join(page, "player"))).filter((name) => name.endsWith(".js")).sort();
      const parts = await Promise.all(files.map((name) => readFile(join(page, "player", name), "utf8")));
      const shared = await Promise.all(["element.js", "theme.js", "packed.js"].map((name) => readFile(join(page, name), "utf8")));
      const contents = `${shared.join("")}function player(app, lesson, host) {\n${parts.join("")}}\nexport { h, player, toggleTheme, unpacked };\n`;
      return { contents, loader: "js" };
    });
  },
};

await mkdir(values.outdir, { recursive: true });
await build({
  entryPoints: { playground: join(here, "src/main.js"), style: join(here, "style.css") },
  outdir: values.outdir,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome105", "firefox113", "safari16.4"],
  loader: { ".yaml": "text" },
  legalComments: "linked",
  plugins: [player],
  logLevel: "info",
});
for (const file of ["index.html", "icon.svg"]) await copyFile(join(here, file), join(values.outdir, file));
