// Small pictures: a palette of 256 colors is enough for a page of text, and makes a quarter of what a browser writes.
import { crc32, deflateSync } from "node:zlib";

const COLORS = 256;

/** Writes a picture as PNG. @param rgba Four bytes a pixel. */
export function encodePng(width, height, rgba) {
  const { palette, indexes } = quantize(rgba);
  const lines = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++) {
    // Each line begins with its filter: none.
    indexes.copy(lines, row * (width + 1) + 1, row * width, (row + 1) * width);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/** The most frequent colors, and for each pixel the nearest of them. */
function quantize(rgba) {
  const counts = new Map();
  for (let at = 0; at < rgba.length; at += 4) {
    const color = (rgba[at] << 16) | (rgba[at + 1] << 8) | rgba[at + 2];
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const colors = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, COLORS).map(([color]) => color);
  const palette = Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const places = new Map(colors.map((color, at) => [color, at]));
  const indexes = Buffer.alloc(rgba.length / 4);
  for (let at = 0; at < rgba.length; at += 4) {
    const color = (rgba[at] << 16) | (rgba[at + 1] << 8) | rgba[at + 2];
    if (!places.has(color)) {
      places.set(color, nearest(colors, color));
    }
    indexes[at / 4] = places.get(color);
  }
  return { palette, indexes };
}

function nearest(colors, color) {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, one] of colors.entries()) {
    const distance = [16, 8, 0].reduce((sum, bits) => sum + (((one >> bits) & 255) - ((color >> bits) & 255)) ** 2, 0);
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best;
}
