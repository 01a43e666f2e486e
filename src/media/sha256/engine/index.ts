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
      h = mix(h + load<u32>(schedule), e, f, g);
      d += h;
      h = spread(h, a, b, c);
      x0 = beginWords(x0, x1);
      g = mix(g + load<u32>(schedule, 4), d, e, f);
      c += g;
      g = spread(g, h, a, b);
      f = mix(f + load<u32>(schedule, 8), c, d, e);
      b += f;
      f = spread(f, g, h, a);
      x0 = endWords(x0, x2, x3);
      e = mix(e + load<u32>(schedule, 12), b, c, d);
      a += e;
      e = spread(e, f, g, h);
      v128.store(schedule, i32x4.add(x0, v128.load(k)));
      d = mix(d + load<u32>(schedule, 16), a, b, c);
      h += d;
      d = spread(d, e, f, g);
      x1 = beginWords(x1, x2);
      c = mix(c + load<u32>(schedule, 20), h, a, b);
      g += c;
      c = spread(c, d, e, f);
      b = mix(b + load<u32>(schedule, 24), g, h, a);
      f += b;
      b = spread(b, c, d, e);
      x1 = endWords(x1, x3, x0);
      a = mix(a + load<u32>(schedule, 28), f, g, h);
      e += a;
      a = spread(a, b, c, d);
      v128.store(schedule, i32x4.add(x1, v128.load(k, 16)), 16);
      h = mix(h + load<u32>(schedule, 32), e, f, g);
      d += h;
      h = spread(h, a, b, c);
      x2 = beginWords(x2, x3);
      g = mix(g + load<u32>(schedule, 36), d, e, f);
      c += g;
      g = spread(g, h, a, b);
      f = mix(f + load<u32>(schedule, 40), c, d, e);
      b += f;
      f = spread(f, g, h, a);
      x2 = endWords(x2, x0, x1);
      e = mix(e + load<u32>(schedule, 44), b, c, d);
      a += e;
      e = spread(e, f, g, h);
      v128.store(schedule, i32x4.add(x2, v128.load(k, 32)), 32);
      d = mix(d + load<u32>(schedule, 48), a, b, c);
      h += d;
      d = spread(d, e, f, g);
      x3 = beginWords(x3, x0);
      c = mix(c + load<u32>(schedule, 52), h, a, b);
      g += c;
      c = spread(c, d, e, f);
      b = mix(b + load<u32>(schedule, 56), g, h, a);
      f += b;
      b = spread(b, c, d, e);
      x3 = endWords(x3, x1, x2);
      a = mix(a + load<u32>(schedule, 60), f, g, h);
      e += a;
      a = spread(a, b, c, d);
      v128.store(schedule, i32x4.add(x3, v128.load(k, 48)), 48);
    }
    for (let w = schedule; w < schedule + 64; w += 32) {
      h = mix(h + load<u32>(w), e, f, g);
      d += h;
      h = spread(h, a, b, c);
      g = mix(g + load<u32>(w, 4), d, e, f);
      c += g;
      g = spread(g, h, a, b);
      f = mix(f + load<u32>(w, 8), c, d, e);
      b += f;
      f = spread(f, g, h, a);
      e = mix(e + load<u32>(w, 12), b, c, d);
      a += e;
      e = spread(e, f, g, h);
      d = mix(d + load<u32>(w, 16), a, b, c);
      h += d;
      d = spread(d, e, f, g);
      c = mix(c + load<u32>(w, 20), h, a, b);
      g += c;
      c = spread(c, d, e, f);
      b = mix(b + load<u32>(w, 24), g, h, a);
      f += b;
      b = spread(b, c, d, e);
      a = mix(a + load<u32>(w, 28), f, g, h);
      e += a;
      a = spread(a, b, c, d);
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

/** Each sum begins with the terms that are known first, because the next round waits for it. */
function mix(sum: u32, e: u32, f: u32, g: u32): u32 {
  return sum + (g ^ (e & (f ^ g))) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25));
}

function spread(sum: u32, a: u32, b: u32, c: u32): u32 {
  return sum + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (((a ^ b) & (b ^ c)) ^ b);
}

/** The next four words of the schedule, without the part that depends on the last eight words. */
function beginWords(x0: v128, x1: v128): v128 {
  return i32x4.add(x0, sigma0(v128.shuffle<i32>(x0, x1, 1, 2, 3, 4)));
}

/** The next four words, from their beginning. The last two depend on the first two. */
function endWords(next: v128, x2: v128, x3: v128): v128 {
  const zero = i32x4.splat(0);
  next = i32x4.add(next, v128.shuffle<i32>(x2, x3, 1, 2, 3, 4));
  next = i32x4.add(next, v128.shuffle<i32>(sigma1(v128.shuffle<i32>(x3, x3, 2, 2, 3, 3)), zero, 0, 2, 4, 4));
  return i32x4.add(next, v128.shuffle<i32>(zero, sigma1(v128.shuffle<i32>(next, next, 0, 0, 1, 1)), 0, 0, 4, 6));
}

function bigEndian(words: v128): v128 {
  return v128.shuffle<i8>(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

function sigma0(x: v128): v128 {
  return v128.xor(v128.xor(rotated(x, 7), rotated(x, 18)), i32x4.shr_u(x, 3));
}

/**
 * @param x two words, each of them twice, so that a shift of 64 bits rotates a word
 * @returns the two results, each before 32 bits without meaning
 */
function sigma1(x: v128): v128 {
  return v128.xor(v128.xor(i64x2.shr_u(x, 17), i64x2.shr_u(x, 19)), i32x4.shr_u(x, 10));
}

function rotated(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits));
}
