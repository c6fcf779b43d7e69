// unpacked is the recording in a page: JSON that is compressed with gzip, in base64. The promise fails for all that is something else, so
// also where atob throws.
const unpacked = async (text) => {
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
};
