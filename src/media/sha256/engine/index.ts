/** SHA-256 of whole blocks (FIPS 180-4, 6.2.2), in AssemblyScript. The host (`../storable-sha256.ts`) fills the constants, the state and the blocks. */

const WORDS: usize = 256;
const state = memory.data(32, 16);
/** The 64 constants of the rounds. */
const constants = memory.data(256, 16);
/** The schedule of a block: its 64 words, each with its round's constant added. */
const schedule = memory.data(256, 16);
const blocks = memory.data(64 * 1024, 16);

export function stateAt(): usize {
  return state;
}

export function constantsAt(): usize {
  return constants;
}

/** The address of 64 KiB. */
export function blocksAt(): usize {
  return blocks;
}

/** Hashes the first blocks. */
export function compress(count: i32): void {
  for (let at = blocks; count > 0; count--, at += 64) {
    fillSchedule(at);
    let a = load<u32>(state);
    let b = load<u32>(state, 4);
    let c = load<u32>(state, 8);
    let d = load<u32>(state, 12);
    let e = load<u32>(state, 16);
    let f = load<u32>(state, 20);
    let g = load<u32>(state, 24);
    let h = load<u32>(state, 28);
    // The names of the words move on instead of the words.
    for (let w = schedule; w < schedule + WORDS; w += 32) {
      h += mix(e, f, g) + load<u32>(w);
      d += h;
      h += spread(a, b, c);
      g += mix(d, e, f) + load<u32>(w, 4);
      c += g;
      g += spread(h, a, b);
      f += mix(c, d, e) + load<u32>(w, 8);
      b += f;
      f += spread(g, h, a);
      e += mix(b, c, d) + load<u32>(w, 12);
      a += e;
      e += spread(f, g, h);
      d += mix(a, b, c) + load<u32>(w, 16);
      h += d;
      d += spread(e, f, g);
      c += mix(h, a, b) + load<u32>(w, 20);
      g += c;
      c += spread(d, e, f);
      b += mix(g, h, a) + load<u32>(w, 24);
      f += b;
      b += spread(c, d, e);
      a += mix(f, g, h) + load<u32>(w, 28);
      e += a;
      a += spread(b, c, d);
    }
    store<u32>(state, load<u32>(state) + a);
    store<u32>(state, load<u32>(state, 4) + b, 4);
    store<u32>(state, load<u32>(state, 8) + c, 8);
    store<u32>(state, load<u32>(state, 12) + d, 12);
    store<u32>(state, load<u32>(state, 16) + e, 16);
    store<u32>(state, load<u32>(state, 20) + f, 20);
    store<u32>(state, load<u32>(state, 24) + g, 24);
    store<u32>(state, load<u32>(state, 28) + h, 28);
  }
}

function mix(e: u32, f: u32, g: u32): u32 {
  return (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g)));
}

function spread(a: u32, b: u32, c: u32): u32 {
  return (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (((a ^ b) & (b ^ c)) ^ b);
}

/** Makes the schedule of a block, four words at a time. */
function fillSchedule(block: usize): void {
  const zero = i32x4.splat(0);
  let x0 = bigEndian(v128.load(block));
  let x1 = bigEndian(v128.load(block, 16));
  let x2 = bigEndian(v128.load(block, 32));
  let x3 = bigEndian(v128.load(block, 48));
  for (let at: usize = 0; ; at += 16) {
    v128.store(schedule + at, i32x4.add(x0, v128.load(constants + at)));
    if (at === WORDS - 16) return;
    let next = i32x4.add(x0, sigma0(v128.shuffle<i32>(x0, x1, 1, 2, 3, 4)));
    next = i32x4.add(next, v128.shuffle<i32>(x2, x3, 1, 2, 3, 4));
    // The last two of the four words depend on the first two.
    next = i32x4.add(next, sigma1(v128.shuffle<i32>(x3, zero, 2, 3, 4, 4)));
    next = i32x4.add(next, sigma1(v128.shuffle<i32>(zero, next, 0, 0, 4, 5)));
    x0 = x1;
    x1 = x2;
    x2 = x3;
    x3 = next;
  }
}

function bigEndian(words: v128): v128 {
  return v128.shuffle<i8>(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

function sigma0(x: v128): v128 {
  return v128.xor(v128.xor(rotated(x, 7), rotated(x, 18)), i32x4.shr_u(x, 3));
}

function sigma1(x: v128): v128 {
  return v128.xor(v128.xor(rotated(x, 17), rotated(x, 19)), i32x4.shr_u(x, 10));
}

function rotated(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits));
}
