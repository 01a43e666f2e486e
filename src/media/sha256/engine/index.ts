/** SHA-256 of whole blocks (FIPS 180-4, 6.2.2), in AssemblyScript. The host (`../storable-sha256.ts`) fills the constants, the state and the blocks. */

const WORDS: usize = 256;
const state = memory.data(32, 16);
/** The 64 constants of the rounds. */
const constants = memory.data(256, 16);
/** The schedule's next 16 words, each with its round's constant added. */
const schedule = memory.data(64, 16);
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

/** Hashes the first blocks. The words of later rounds are made between the rounds, because a processor does both at the same time. */
export function compress(count: i32): void {
  for (let at = blocks; count > 0; count--, at += 64) {
    let a = load<u32>(state);
    let b = load<u32>(state, 4);
    let c = load<u32>(state, 8);
    let d = load<u32>(state, 12);
    let e = load<u32>(state, 16);
    let f = load<u32>(state, 20);
    let g = load<u32>(state, 24);
    let h = load<u32>(state, 28);
    let x0 = bigEndian(v128.load(at));
    let x1 = bigEndian(v128.load(at, 16));
    let x2 = bigEndian(v128.load(at, 32));
    let x3 = bigEndian(v128.load(at, 48));
    v128.store(schedule, i32x4.add(x0, v128.load(constants)));
    v128.store(schedule, i32x4.add(x1, v128.load(constants, 16)), 16);
    v128.store(schedule, i32x4.add(x2, v128.load(constants, 32)), 32);
    v128.store(schedule, i32x4.add(x3, v128.load(constants, 48)), 48);
    // The names of the words move on instead of the words.
    for (let k = constants + 64; k < constants + WORDS; k += 64) {
      h += mix(e, f, g) + load<u32>(schedule);
      d += h;
      h += spread(a, b, c);
      x0 = beginWords(x0, x1);
      g += mix(d, e, f) + load<u32>(schedule, 4);
      c += g;
      g += spread(h, a, b);
      f += mix(c, d, e) + load<u32>(schedule, 8);
      b += f;
      f += spread(g, h, a);
      x0 = endWords(x0, x2, x3);
      e += mix(b, c, d) + load<u32>(schedule, 12);
      a += e;
      e += spread(f, g, h);
      v128.store(schedule, i32x4.add(x0, v128.load(k)));
      d += mix(a, b, c) + load<u32>(schedule, 16);
      h += d;
      d += spread(e, f, g);
      x1 = beginWords(x1, x2);
      c += mix(h, a, b) + load<u32>(schedule, 20);
      g += c;
      c += spread(d, e, f);
      b += mix(g, h, a) + load<u32>(schedule, 24);
      f += b;
      b += spread(c, d, e);
      x1 = endWords(x1, x3, x0);
      a += mix(f, g, h) + load<u32>(schedule, 28);
      e += a;
      a += spread(b, c, d);
      v128.store(schedule, i32x4.add(x1, v128.load(k, 16)), 16);
      h += mix(e, f, g) + load<u32>(schedule, 32);
      d += h;
      h += spread(a, b, c);
      x2 = beginWords(x2, x3);
      g += mix(d, e, f) + load<u32>(schedule, 36);
      c += g;
      g += spread(h, a, b);
      f += mix(c, d, e) + load<u32>(schedule, 40);
      b += f;
      f += spread(g, h, a);
      x2 = endWords(x2, x0, x1);
      e += mix(b, c, d) + load<u32>(schedule, 44);
      a += e;
      e += spread(f, g, h);
      v128.store(schedule, i32x4.add(x2, v128.load(k, 32)), 32);
      d += mix(a, b, c) + load<u32>(schedule, 48);
      h += d;
      d += spread(e, f, g);
      x3 = beginWords(x3, x0);
      c += mix(h, a, b) + load<u32>(schedule, 52);
      g += c;
      c += spread(d, e, f);
      b += mix(g, h, a) + load<u32>(schedule, 56);
      f += b;
      b += spread(c, d, e);
      x3 = endWords(x3, x1, x2);
      a += mix(f, g, h) + load<u32>(schedule, 60);
      e += a;
      a += spread(b, c, d);
      v128.store(schedule, i32x4.add(x3, v128.load(k, 48)), 48);
    }
    for (let w = schedule; w < schedule + 64; w += 32) {
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

/** The next four words of the schedule, without the part that depends on the last eight words. */
function beginWords(x0: v128, x1: v128): v128 {
  return i32x4.add(x0, sigma0(v128.shuffle<i32>(x0, x1, 1, 2, 3, 4)));
}

/** The next four words, from their beginning. The last two depend on the first two. */
function endWords(next: v128, x2: v128, x3: v128): v128 {
  const zero = i32x4.splat(0);
  next = i32x4.add(next, v128.shuffle<i32>(x2, x3, 1, 2, 3, 4));
  next = i32x4.add(next, sigma1(v128.shuffle<i32>(x3, zero, 2, 3, 4, 4)));
  return i32x4.add(next, sigma1(v128.shuffle<i32>(zero, next, 0, 0, 4, 5)));
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
