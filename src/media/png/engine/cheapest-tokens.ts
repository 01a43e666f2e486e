import { allocate } from "./heap";
import { addLooks } from "./looks";
import { matchesOf, STRETCH } from "./match-finder";
import { segmentAt } from "./segment";
import { costsAt, distance, distanceSymbol, length, literal } from "./symbols";
import { tokenAt } from "./tokens";

/** Finds the cheapest tokens for a part of a segment, from its end to its start: the shortest path in a graph without cycles. */

const MIN_MATCH: i32 = 3;
const MAX_MATCH: i32 = 258;

/** The types of passes. A pass tries every length of a match, the longest lengths of each symbol, or the longest only. */
type Exact = i32;
type Rough = f32;
type Fast = f64;

/** The longest length with the same symbol, by length: u16, set by the host. */
const lastLengths = memory.data((MAX_MATCH + 1) * 2, 16);
/** The cost from each place of the segment to the end: i32. */
let pathCosts: usize = 0;

export function lastLengthsAt(): usize {
  return lastLengths;
}

export function layOutPaths(segmentBytes: i32): void {
  pathCosts = allocate((<usize>(segmentBytes + 1)) << 2);
}

/**
 * Tries every length.
 * @returns the number of tokens from place `from` to place `to`
 */
export function chooseExactly(from: i32, to: i32): i32 {
  return choose<Exact>(from, to);
}

/** Tries only the longest of the lengths that share a symbol. This is faster and good enough to count symbols. */
export function chooseRoughly(from: i32, to: i32): i32 {
  return choose<Rough>(from, to);
}

/** Tries only the longest length of a match. For screenshots this is good enough to count symbols. */
export function chooseFast(from: i32, to: i32): i32 {
  return choose<Fast>(from, to);
}

function choose<T>(from: i32, to: i32): i32 {
  const costs = costsAt();
  const data = segmentAt();
  store<i32>(pathCost(to), 0);
  let looked = to - from;
  let end = matchesOf(to);
  /** The start of the stretch that follows: the places inside have no path. */
  let limit = to;
  for (let at = to - 1; at >= from; at--) {
    const path = pathCost(at);
    const first = matchesOf(at);
    if ((first & STRETCH) !== 0) {
      const last = at;
      at = takeStretch(<i32>(first & ~STRETCH), last + 1);
      looked -= last - at;
      limit = at;
      end = matchesOf(at);
      continue;
    }
    let choice = <u32>load<u8>(data + at);
    let lowest = load<i32>(literal(costs, choice)) + load<i32>(path, 4);
    let tried = MIN_MATCH;
    for (let next = first; next < end; next += 4) {
      const match = load<u32>(next);
      const less = match & 0xffff;
      const longest = min(<i32>(match >> 16), limit - at);
      const distanceCost = load<i32>(distance(costs, distanceSymbol(less)));
      if (isFloat<T>() ? sizeof<T>() === sizeof<Fast>() : longest === MAX_MATCH) tried = max(tried, longest);
      // Shorter lengths were cheaper with the previous match, which is nearer.
      for (; tried <= longest; tried++) {
        looked++;
        if (isFloat<T>()) tried = min(longest, <i32>load<u16>(lastLengths + ((<usize>tried) << 1)));
        else if (tried + 3 <= longest) {
          // Four lengths at a time are rarely cheaper.
          const four = i32x4.add(v128.load(length(costs, tried)), v128.load(path + ((<usize>tried) << 2)));
          if (!v128.any_true(i32x4.lt_s(four, i32x4.splat(lowest - distanceCost)))) {
            tried += 3;
            continue;
          }
        }
        const cost = distanceCost + load<i32>(length(costs, tried)) + load<i32>(path + ((<usize>tried) << 2));
        if (cost < lowest) {
          lowest = cost;
          choice = (tried << 16) | less;
        }
      }
    }
    end = first;
    store<i32>(path, lowest);
    store<u32>(tokenAt(at), choice);
  }
  addLooks(looked);
  return gather(from, to);
}

/** Makes a stretch the token at its start. @returns its start */
function takeStretch(from: i32, to: i32): i32 {
  const costs = costsAt();
  const less = <i32>matchesOf(from + 1);
  const cost = load<i32>(distance(costs, distanceSymbol(less))) + load<i32>(length(costs, to - from));
  store<i32>(pathCost(from), cost + load<i32>(pathCost(to)));
  store<u32>(tokenAt(from), ((to - from) << 16) | less);
  return from;
}

/** Moves the tokens on the path to the front. */
function gather(from: i32, to: i32): i32 {
  let size = 0;
  for (let at = from; at < to; size++) {
    const token = load<u32>(tokenAt(at));
    store<u32>(tokenAt(size), token);
    at += token < 256 ? 1 : <i32>(token >> 16);
  }
  return size;
}

function pathCost(at: i32): usize {
  return pathCosts + ((<usize>at) << 2);
}
