// Compresses a file: node brotli.mjs FILE TO QUALITY.
import { constants, brotliCompressSync } from "node:zlib";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const [file, to, quality] = process.argv.slice(2);
const data = readFileSync(file);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: Number(quality),
  [constants.BROTLI_PARAM_LGWIN]: 24,
  [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
};
writeFileSync(to + ".part", brotliCompressSync(data, { params }));
renameSync(to + ".part", to);
