import type { PngEngine } from "../engine.ts";
import { LENGTH_CODE, LITERALS_AND_LENGTHS, WINDOW_BYTES } from "./alphabets.ts";
import { chooseEffort, type Effort } from "./choose-effort.ts";
import { ENGINE_SYMBOLS } from "./engine-symbols.ts";
import { splitBlocks } from "./split-blocks.ts";
import { setCosts } from "./symbol-costs.ts";
import { SymbolCounts } from "./symbol-counts.ts";
import { writeBlock } from "./write-block.ts";

/** How far the engine looks beyond a segment. */
const AHEAD_BYTES = 12;
const ZLIB_HEADER = 0xda78;

/**
 * A zlib stream (RFC 1950) that is smaller than zlib's own: all ways of writing the data are weighed by what they cost,
 * not just the longest match taken. Memory beside the data and the result stays below 24 MB.
 * @param data at least one byte
 */
export function deflate(engine: PngEngine, data: Uint8Array, effort = chooseEffort(data)): Uint8Array<ArrayBuffer>[] {
  const { loops } = engine;
  const segmentBytes = Math.min(effort.segmentBytes, data.length);
  loops.beginDeflate(data.length, segmentBytes, effort.near, effort.far, effort.nice);
  loops.beginChecksum();
  setLastLengths(engine);
  loops.writeBits(ZLIB_HEADER, 16);
  let counts = guess(data.subarray(0, segmentBytes));
  let checksum = 1;
  for (let from = 0; from < data.length; ) {
    const first = Math.max(0, from - WINDOW_BYTES);
    const inReach = data.subarray(first, from + segmentBytes + AHEAD_BYTES);
    engine.bytesAt(loops.segmentAt() - (from - first), inReach.length).set(inReach);
    const to = loops.findMatches(from, Math.min(data.length, from + segmentBytes));
    checksum = loops.checksumSegment(to - from);
    counts = deflateSegment(engine, to - from, counts, effort, to === data.length);
    from = to;
  }
  loops.finishBits(checksum);
  return engine.takeOutput();
}

/** @returns how often symbols have occurred, for the next to start with */
function deflateSegment(engine: PngEngine, bytes: number, before: SymbolCounts, effort: Effort, isLast: boolean) {
  const { loops } = engine;
  const setEngineCosts = (counts: SymbolCounts) => setCosts(engine.wordsAt(loops.costsAt(), ENGINE_SYMBOLS), counts);
  let counts = before;
  let size = 0;
  for (let pass = effort.isThorough ? 0 : 1; pass < 2; pass++) {
    setEngineCosts(counts);
    size = loops.chooseRoughly(0, bytes);
    counts = countTokens(engine, 0, size);
  }
  const blocks = splitBlocks(size, (from, to) => countTokens(engine, from, to));
  const sizes = blocks.map(({ from, to }) => loops.bytesOfTokens(from, to));
  let start = 0;
  for (const [index, block] of blocks.entries()) {
    const end = start + (sizes[index] ?? 0);
    setEngineCosts(block.counts);
    let chosen = loops.chooseExactly(start, end);
    if (effort.isThorough) {
      setEngineCosts(countTokens(engine, 0, chosen));
      chosen = loops.chooseExactly(start, end);
    }
    writeBlock(engine, chosen, countTokens(engine, 0, chosen), isLast && end === bytes);
    start = end;
  }
  return counts;
}

function countTokens(engine: PngEngine, from: number, to: number): SymbolCounts {
  const { loops } = engine;
  loops.countTokens(from, to);
  return SymbolCounts.fromEngine(engine.wordsAt(loops.countsAt(), ENGINE_SYMBOLS));
}

function setLastLengths({ loops }: PngEngine): void {
  new Uint16Array(loops.memory.buffer, loops.lastLengthsAt(), LENGTH_CODE.length).set(
    Uint16Array.from(LENGTH_CODE, (code) => LENGTH_CODE.lastIndexOf(code)),
  );
}

/** Before anything is known: literals come as often as they are there, matches of all kinds alike. */
function guess(data: Uint8Array): SymbolCounts {
  const counts = new SymbolCounts();
  for (const value of data) counts.literalsAndLengths[value] = (counts.literalsAndLengths[value] ?? 0) + 1;
  counts.literalsAndLengths.fill(data.length / 64, 257, LITERALS_AND_LENGTHS);
  counts.distances.fill(1);
  return counts;
}
