/**
 * QR codes (ISO/IEC 18004), as much of them as a link needs: bytes, medium error correction,
 * versions 1 to 10, which is up to 213 bytes.
 */

import { svg } from "./dom.js";

/** For each version: error correction bytes a block, then how many blocks of how many data bytes. */
const BLOCKS = [
  [10, [1, 16]],
  [16, [1, 28]],
  [26, [1, 44]],
  [18, [2, 32]],
  [24, [2, 43]],
  [16, [4, 27]],
  [18, [4, 31]],
  [22, [2, 38], [2, 39]],
  [22, [3, 36], [2, 37]],
  [26, [4, 43], [1, 44]],
];
/** Where the centres of the small squares are. */
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const MEDIUM = 0;
const QUIET_MODULES = 4;
/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];
/** Dark and light as the corners have it, where a scanner would take it for one. */
const CORNER_LIKE = ["10111010000", "00001011101"];

// ---- error correction: polynomials over the field of 256 elements ----------------

/** @type {number[]} */
const POWERS = [];
/** @type {number[]} */
const LOGARITHMS = [];
for (let power = 0, value = 1; power < 255; power += 1) {
  POWERS[power] = value;
  LOGARITHMS[value] = power;
  value <<= 1;
  if (value > 255) value ^= 0x11d;
}

/**
 * @param {number} a
 * @param {number} b
 */
const times = (a, b) => (a && b ? POWERS[(LOGARITHMS[a] + LOGARITHMS[b]) % 255] : 0);

/**
 * The check bytes of a block: the remainder after division by the product of (x - 2^i).
 * @param {number[]} data
 * @param {number} count
 */
function checkBytes(data, count) {
  let divisor = [1];
  for (let i = 0; i < count; i += 1) divisor = [...divisor, 0].map((value, n) => value ^ times(divisor[n - 1] ?? 0, POWERS[i]));
  const rest = [...data, ...Array(count).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const factor = rest[i];
    divisor.forEach((value, n) => {
      rest[i + n] ^= times(value, factor);
    });
  }
  return rest.slice(data.length);
}

// ---- bytes -----------------------------------------------------------------------

/** @param {number} version */
const blockSizes = (version) => BLOCKS[version - 1].slice(1).flatMap(([count, size]) => Array(count).fill(size));

/** @param {number} version */
const capacity = (version) => blockSizes(version).reduce((sum, size) => sum + size, 0);

/**
 * The data bytes: mode, length, text, padding.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function dataBytes(bytes, version) {
  const lengthBits = version < 10 ? 8 : 16;
  const head = "0100" + bytes.length.toString(2).padStart(lengthBits, "0");
  const bits = head + [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("") + "0000";
  const found = (bits.match(/.{1,8}/g) ?? []).map((eight) => parseInt(eight.padEnd(8, "0"), 2)).slice(0, capacity(version));
  for (let n = 0; found.length < capacity(version); n += 1) found.push(n % 2 ? 0x11 : 0xec);
  return found;
}

/**
 * Blocks and their check bytes, interleaved.
 * @param {number[]} data
 * @param {number} version
 */
function interleaved(data, version) {
  const checks = /** @type {number} */ (BLOCKS[version - 1][0]);
  let from = 0;
  const blocks = blockSizes(version).map((size) => data.slice(from, (from += size)));
  const turns = (/** @type {number[][]} */ lists) =>
    [...Array(Math.max(...lists.map((list) => list.length))).keys()].flatMap((n) => lists.filter((list) => n < list.length).map((list) => list[n]));
  return [...turns(blocks), ...turns(blocks.map((block) => checkBytes(block, checks)))];
}

// ---- the square ------------------------------------------------------------------

/**
 * What is the same in every code of a version; null is free for data.
 * @param {number} version
 * @returns {(boolean | null)[][]}
 */
function frame(version) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const square = Array.from({ length: size }, () => Array(size).fill(null));
  const put = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ dark) => {
    if (square[r]?.[c] !== undefined) square[r][c] = dark;
  };
  const rings = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ reach, /** @type {number[]} */ dark) => {
    for (let y = -reach; y <= reach; y += 1) for (let x = -reach; x <= reach; x += 1) put(r + y, c + x, dark.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let n = 0; n < size; n += 1) {
    put(6, n, n % 2 === 0);
    put(n, 6, n % 2 === 0);
  }
  const centres = ALIGNMENT[version - 1];
  const last = centres[centres.length - 1];
  for (const r of centres) for (const c of centres) if (!(r === 6 && c === 6) && !(r === 6 && c === last) && !(r === last && c === 6)) rings(r, c, 2, [0, 2]);
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(r, c, 4, [0, 1, 3]);
  writeFormat(square, 0);
  if (version >= 7) writeVersion(square, version);
  return square;
}

/**
 * A number with its own check bits.
 * @param {number} value
 * @param {number} divisor
 * @param {number} checkBits
 */
function withChecks(value, divisor, checkBits) {
  let rest = value << checkBits;
  for (let bit = 31 - Math.clz32(rest); bit >= checkBits; bit = 31 - Math.clz32(rest)) rest ^= divisor << (bit - checkBits);
  return (value << checkBits) | rest;
}

/**
 * @param {(boolean | null)[][]} square
 * @param {number} mask
 */
function writeFormat(square, mask) {
  const size = square.length;
  const bits = withChecks((MEDIUM << 3) | mask, 0x537, 10) ^ 0x5412;
  for (let n = 0; n < 15; n += 1) {
    const dark = ((bits >> n) & 1) === 1;
    const near = n < 6 ? n : n < 8 ? n + 1 : 0;
    if (n < 8) square[near][8] = square[8][size - 1 - n] = dark;
    else square[8][n === 8 ? 7 : 14 - n] = square[size - 15 + n][8] = dark;
  }
  square[size - 8][8] = true;
}

/**
 * @param {(boolean | null)[][]} square
 * @param {number} version
 */
function writeVersion(square, version) {
  const size = square.length;
  const bits = withChecks(version, 0x1f25, 12);
  for (let n = 0; n < 18; n += 1) {
    const [far, near] = [size - 11 + (n % 3), Math.floor(n / 3)];
    square[far][near] = square[near][far] = ((bits >> n) & 1) === 1;
  }
}

/**
 * The free places in the order in which bits are laid: up and down in pairs of columns.
 * @param {(boolean | null)[][]} square
 * @returns {[number, number][]}
 */
function freePlaces(square) {
  const size = square.length;
  /** @type {[number, number][]} */
  const found = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let n = 0; n < size; n += 1) {
      const r = upwards ? size - 1 - n : n;
      for (const c of [right, right - 1]) if (square[r][c] === null) found.push([r, c]);
    }
    upwards = !upwards;
  }
  return found;
}

/**
 * How hard a square is to read, by the rules of the standard.
 * @param {boolean[][]} square
 */
function penalty(square) {
  const size = square.length;
  const lines = [...square, ...square.map((_, c) => square.map((row) => row[c]))].map((line) => line.map(Number).join(""));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const like of CORNER_LIKE) for (let at = line.indexOf(like); at >= 0; at = line.indexOf(like, at + 1)) sum += 40;
  }
  for (let r = 1; r < size; r += 1) {
    for (let c = 1; c < size; c += 1) if (new Set([square[r][c], square[r - 1][c], square[r][c - 1], square[r - 1][c - 1]]).size === 1) sum += 3;
  }
  const dark = (square.flat().filter(Boolean).length * 100) / size ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 50) / 5);
}

/**
 * A text as rows of dark (true) and light modules.
 * @param {string} text
 * @returns {boolean[][]}
 */
export function encode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, n) => bytes.length + (n + 1 < 10 ? 2 : 3) <= capacity(n + 1)) + 1;
  if (!version) throw new RangeError("The text is too long for a QR code.");
  const bits = interleaved(dataBytes(bytes, version), version).flatMap((byte) => [...byte.toString(2).padStart(8, "0")].map((bit) => bit === "1"));
  const bare = frame(version);
  const places = freePlaces(bare);
  const squares = MASKS.map((mask, number) => {
    const square = bare.map((row) => [...row]);
    places.forEach(([r, c], n) => {
      square[r][c] = (bits[n] ?? false) !== mask(r, c);
    });
    writeFormat(square, number);
    return /** @type {boolean[][]} */ (square);
  });
  const penalties = squares.map(penalty);
  return squares[penalties.indexOf(Math.min(...penalties))];
}

/**
 * A text as a picture that a phone can read.
 * @param {string} text
 * @param {string} label
 */
export function drawCode(text, label) {
  const square = encode(text);
  const side = square.length + 2 * QUIET_MODULES;
  const dark = square.flatMap((row, r) => row.flatMap((on, c) => (on ? [`M${c + QUIET_MODULES} ${r + QUIET_MODULES}h1v1h-1z`] : [])));
  return svg(
    "svg",
    { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: side, height: side, fill: "#fff" }),
    svg("path", { d: dark.join(""), fill: "#000" }),
  );
}
