import { allocate, heapTop, reserve } from "./heap";
import { addLooks } from "./looks";
import { dataAt, segmentFrom, WINDOW_BYTES } from "./segment";

/**
 * Finds earlier occurrences of the bytes at each place (LZ77), within DEFLATE's window. Hash tables contain the last place with the same 3
 * and 4 bytes, because short matches pay only when near, and chains of places with the same 6 and 12 bytes.
 */

const MIN_MATCH: i32 = 3;
const MAX_MATCH: i32 = 258;
const HASH_BITS: i32 = 16;
const HASH_BYTES: usize = 4 << HASH_BITS;
const CHAIN_BYTES: usize = 4 * WINDOW_BYTES;
const MASK: i32 = WINDOW_BYTES - 1;
/** Each byte of a place that does not exist: far below zero. */
const NEVER: u8 = 0x80;
/** Bytes that the longest hash covers. */
const AHEAD: i32 = 12;
/** Room for matches grows as needed, and the segment ends early if it is used up. */
const MATCHES_STEP_BYTES: usize = 1024 * 1024;
const MAX_MATCHES_BYTES: usize = 8 * 1024 * 1024;
/** Hashing a place takes as long as this many comparisons. */
const HASHING_LOOKS: i32 = 4;
/** One comparison covers this many bytes of a match, as a power of two. */
const LOOK_BITS: i32 = 6;
/** If a match of this length continues here, a quarter of the places is tried. */
const GOOD: i32 = 16;
/** A stretch of a smaller distance repeats the same few bytes. */
const RUN_DISTANCE: i32 = 16;
const RUN_END: i32 = 48;
/** The most matches at one place, because each is longer than the previous one. */
const PLACE_BYTES: usize = 4 * MAX_MATCH;

let lastHashed: i32 = 0;
let near: i32 = 0;
let far: i32 = 0;
let nice: i32 = 0;
/** The last place of each hash: i32. */
let last3: usize = 0;
let last4: usize = 0;
let last6: usize = 0;
let last12: usize = 0;
/** The previous place of each chain, by place in the window: i32. */
let earlier6: usize = 0;
let earlier12: usize = 0;
/** The address of the first match of each place in the segment; one more at the end. */
let starts: usize = 0;
/** length << 16 | distance - 1, in increasing length at one place; u32. */
let matches: usize = 0;
/** The end of the current stretch, and its distance. */
let resumeAt: i32 = 0;
let stretchDistance: i32 = 0;
/** The long match at the previous place. A stretch begins there unless the match at this place is longer. */
let pendingLength: i32 = 0;
let pendingDistance: i32 = 0;
/**
 * The address for the next match, the end of the room for matches, and the length and distance of the longest match at the previous place,
 * which continues here.
 */
let next: usize = 0;
let end: usize = 0;
let known: i32 = 0;
let distance: i32 = 0;

export function layOutMatches(dataBytes: i32, segmentBytes: i32): void {
  lastHashed = dataBytes - AHEAD;
  resumeAt = 0;
  last3 = allocate(HASH_BYTES);
  last4 = allocate(HASH_BYTES);
  last6 = allocate(HASH_BYTES);
  last12 = allocate(HASH_BYTES);
  memory.fill(last3, NEVER, 4 * HASH_BYTES);
  earlier6 = allocate(CHAIN_BYTES);
  earlier12 = allocate(CHAIN_BYTES);
  starts = allocate((<usize>(segmentBytes + 1)) << 2);
  matches = heapTop();
}

/**
 * The address of the place's first match; its last match is before the next place's first. A stretch is a long match that is taken without
 * weighing others, so the places inside have no matches. Its second place has the distance less one, its last one the first place and this
 * mark.
 * @param place in the segment
 */
export function matchesOf(place: i32): usize {
  return load<u32>(startOf(place));
}

export const STRETCH: u32 = 0x80000000;

function startOf(place: i32): usize {
  return starts + ((<usize>place) << 2);
}

/** Begins a segment, or changes the effort within one. @param nearPlaces see Effort */
export function setEffort(nearPlaces: i32, farPlaces: i32, niceLength: i32): void {
  near = nearPlaces;
  far = farPlaces;
  nice = niceLength;
}

/**
 * Finds the matches of a part of the segment; parts follow one another. No match reaches beyond the segment's end.
 * @param start of the part, a place in the segment
 * @param stop its end
 * @param segmentBytes length of the segment
 * @returns the end of this part: before `stop` if there are too many matches
 */
export function findMatches(start: i32, stop: i32, segmentBytes: i32): i32 {
  const data = dataAt();
  const from = segmentFrom();
  const to = from + segmentBytes;
  if (start === 0) {
    next = matches;
    end = matches;
    known = 0;
    pendingLength = 0;
  }
  let looked = stop - start;
  let at = from + start;
  for (; at < from + stop; at++) {
    if (at < resumeAt) {
      const inside = min(resumeAt, from + stop);
      insertInside(data, at, inside);
      at = inside - 1;
      continue;
    }
    if (next + PLACE_BYTES > end) {
      if (end - matches >= MAX_MATCHES_BYTES) break;
      end += MATCHES_STEP_BYTES;
      reserve(end);
    }
    store<u32>(startOf(at - from), next);
    if (at > lastHashed) continue;
    const here = data + at;
    const a = load<u32>(here);
    const b = load<u32>(here, 4);
    const at3 = load<i32>(slot3(a));
    const at4 = load<i32>(slot4(a));
    const at6 = load<i32>(slot6(a, b));
    const at12 = load<i32>(slot12(a, b, load<u32>(here, 8)));
    insert(here, at);

    const lowest = max(0, at - WINDOW_BYTES);
    const most = min(MAX_MATCH, to - at);
    let longest = MIN_MATCH - 1;
    if (at3 >= lowest) {
      const length = matchLength(data + at3, here, most, at - at3 === distance ? known : 0);
      if (length > longest) {
        longest = length;
        store<u32>(next, (length << 16) | (at - at3 - 1));
        next += 4;
      }
    }
    if (at4 >= lowest && at4 !== at3 && longest < most && goesOn(data + at4, here, longest)) {
      const length = matchLength(data + at4, here, most, at - at4 === distance ? known : 0);
      if (length > longest) {
        longest = length;
        store<u32>(next, (length << 16) | (at - at4 - 1));
        next += 4;
      }
    }
    looked += HASHING_LOOKS + (longest >> LOOK_BITS);
    let place = at6;
    for (let left = known < GOOD ? near : near >> 2; left > 0 && place >= lowest && longest < most; left--) {
      looked++;
      if (goesOn(data + place, here, longest)) {
        const length = matchLength(data + place, here, most, at - place === distance ? known : 0);
        looked += length >> LOOK_BITS;
        if (length > longest) {
          longest = length;
          store<u32>(next, (length << 16) | (at - place - 1));
          next += 4;
        }
      }
      place = load<i32>(earlier6 + ((<usize>(place & MASK)) << 2));
    }
    place = at12;
    for (let left = known < GOOD ? far : far >> 2; left > 0 && place >= lowest && longest < most; left--) {
      looked++;
      if (goesOn(data + place, here, longest)) {
        const length = matchLength(data + place, here, most, at - place === distance ? known : 0);
        looked += length >> LOOK_BITS;
        if (length > longest) {
          longest = length;
          store<u32>(next, (length << 16) | (at - place - 1));
          next += 4;
        }
      }
      place = load<i32>(earlier12 + ((<usize>(place & MASK)) << 2));
    }
    if (longest >= MIN_MATCH) {
      known = longest - 1;
      distance = <i32>(load<u32>(next - 4) & 0xffff) + 1;
    } else known = 0;
    if (pendingLength > 0 && longest <= pendingLength) {
      next = load<u32>(startOf(at - from));
      known = 0;
      beginStretch(at - 1 - from);
    } else {
      pendingLength = longest >= nice ? longest : 0;
      pendingDistance = distance;
    }
  }
  // The inside of a stretch has no matches.
  if (at >= resumeAt) store<u32>(startOf(at - from), next);
  addLooks(looked);
  return at - from;
}

/** Makes the pending match the only token at its place. @param place in the segment */
function beginStretch(place: i32): void {
  store<u32>(startOf(place + 1), pendingDistance - 1);
  store<u32>(startOf(place + pendingLength - 1), STRETCH | place);
  resumeAt = segmentFrom() + place + pendingLength;
  stretchDistance = pendingDistance;
  pendingLength = 0;
}

/** Inserts places inside a stretch. Of a run of the same few bytes only the end is useful: its other places would fill the chains. */
function insertInside(data: usize, at: i32, end: i32): void {
  if (stretchDistance < RUN_DISTANCE) at = max(at, resumeAt - RUN_END);
  end = min(end, lastHashed + 1);
  for (; at < end; at++) insert(data + at, at);
}

/** @param here the address of a place @param at its position in the stream */
function insert(here: usize, at: i32): void {
  const a = load<u32>(here);
  const b = load<u32>(here, 4);
  const in6 = slot6(a, b);
  const in12 = slot12(a, b, load<u32>(here, 8));
  const link = (<usize>(at & MASK)) << 2;
  store<i32>(earlier6 + link, load<i32>(in6));
  store<i32>(earlier12 + link, load<i32>(in12));
  store<i32>(slot3(a), at);
  store<i32>(slot4(a), at);
  store<i32>(in6, at);
  store<i32>(in12, at);
}

/** The slots of the bytes at a place: of 3 or 4 bytes in `a`, two more in `b`, or all of `a`, `b` and `c`. */
function slot3(a: u32): usize {
  return slot(last3, (a << 8) * 0x9e3779b1);
}

function slot4(a: u32): usize {
  return slot(last4, a * 0x85ebca6b);
}

function slot6(a: u32, b: u32): usize {
  return slot(last6, (folded(a * 0x85ebca6b) ^ (b << 16)) * 0x9e3779b1);
}

function slot12(a: u32, b: u32, c: u32): usize {
  return slot(last12, (folded((folded(a * 0x85ebca6b) ^ b) * 0xc2b2ae35) ^ c) * 0x9e3779b1);
}

function folded(mixed: u32): u32 {
  return (mixed >> 15) ^ mixed;
}

function slot(table: usize, hash: u32): usize {
  return table + ((hash >> (32 - HASH_BITS)) << 2);
}

/** Whether a longer match is possible at this place: the bytes at the end of the longest known match agree. */
function goesOn(earlier: usize, here: usize, longest: i32): bool {
  if (longest < 3) return true;
  const last = longest - 3;
  return load<u32>(earlier + last) === load<u32>(here + last);
}

/** @param known bytes that are equal in any case */
function matchLength(earlier: usize, here: usize, most: i32, known: i32): i32 {
  let length = min(known, most);
  for (; length < most; length += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(earlier + length), v128.load(here + length)));
    if (same !== 0xffff) return min(most, length + ctz(~same));
  }
  return most;
}
