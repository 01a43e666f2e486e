import type { CodecTools } from "../../codec-tools.ts";
import type { PngEngine } from "../engine.ts";
import { LENGTH_CODE, LITERALS_AND_LENGTHS } from "./alphabets.ts";
import { chooseEffort, type Effort, MAX_SEGMENT_BYTES } from "./choose-effort.ts";
import { COUNTED_SYMBOLS, ENGINE_SYMBOLS } from "./engine-symbols.ts";
import { setCosts } from "./symbol-costs.ts";
import { type SymbolCounts, symbolCounts } from "./symbol-counts.ts";
import { writeBlock } from "./write-block.ts";

const ZLIB_HEADER = 0xda78;
/** The engine reads beyond a segment. */
const AHEAD_BYTES = 12;
/** Segments are at least this long, or end with the data. */
const LEAST_SEGMENT_BYTES = 128 * 1024;
/** Bytes that are searched between two chances to yield. */
const MATCH_STEP_BYTES = 16 * 1024;
/** Approximate times of steps. A third of the 50 ms that computing may hold the thread is one share (isolate/yield-thread.ts). */
const MS_PER_LOOK = 6e-6;

export interface DataToDeflate extends Pick<CodecTools, "yieldIfDue"> {
  /** Total length, at least one byte. */
  readonly totalBytes: number;
  /** The most bytes that are added at once. */
  readonly waitingBytes: number;
  /** Adds data to the engine's data. Returns 1 if more follows, 0 at the end, -1 if the source is damaged. */
  addData(): number;
  /** Deflating stops if the result is larger. */
  readonly affordableBytes: number;
  /** Chosen by the engine's estimate if it is absent. */
  readonly effort?: Effort;
}

/**
 * Makes a zlib stream (RFC 1950) that is smaller than zlib's. It compares the costs of all encodings of the data, and does not just take
 * the longest match. The data is added when it is needed.
 */
export async function deflate(
  engine: PngEngine,
  data: DataToDeflate,
): Promise<Uint8Array<ArrayBuffer>[] | "damaged" | "larger"> {
  const { loops } = engine;
  const { totalBytes, yieldIfDue } = data;
  loops.beginDeflate(totalBytes, Math.min(MAX_SEGMENT_BYTES, totalBytes), data.waitingBytes + AHEAD_BYTES);
  setLastLengths(engine);
  loops.writeBits(ZLIB_HEADER, 16);
  let counts: SymbolCounts | undefined;
  let effort: Effort | undefined;
  let checksum = 1;
  let hasMore = true;
  /** Estimate for the available data. */
  let bits = 0;
  for (let done = 0; done < totalBytes; ) {
    const wanted = () => (effort?.segmentBytes ?? LEAST_SEGMENT_BYTES) + AHEAD_BYTES;
    for (;;) {
      while (hasMore && loops.dataBytes() < wanted()) {
        const status = data.addData();
        if (status < 0) return "damaged";
        hasMore = status > 0;
        bits += loops.takeEstimate();
        await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
      }
      const before = effort;
      effort = data.effort ?? chooseEffort(bits / 8 / loops.dataBytes());
      if (!hasMore || effort.segmentBytes <= (before?.segmentBytes ?? LEAST_SEGMENT_BYTES)) break;
    }
    const there = loops.dataBytes();
    const planned = Math.min(there, effort.segmentBytes);
    counts ??= guess(engine.bytesAt(loops.segmentAt(), planned));
    const bytes = await findMatches(engine, planned, effort, yieldIfDue);
    checksum = loops.checksumSegment(bytes);
    counts = await deflateSegment(engine, { bytes, effort, counts, isLast: done + bytes === totalBytes, yieldIfDue });
    loops.leaveSegment(bytes);
    bits *= 1 - bytes / there;
    done += bytes;
    if (engine.outputBytes > data.affordableBytes) return "larger";
  }
  loops.finishBits(checksum);
  return engine.outputBytes > data.affordableBytes ? "larger" : engine.takeOutput();
}

/** @returns the segment's length: shorter than planned if there are too many matches */
async function findMatches(
  { loops }: PngEngine,
  planned: number,
  { near, far, nice }: Effort,
  yieldIfDue: CodecTools["yieldIfDue"],
): Promise<number> {
  loops.setEffort(near, far, nice);
  for (let start = 0; start < planned; ) {
    const stop = Math.min(planned, start + MATCH_STEP_BYTES);
    const reached = loops.findMatches(start, stop, planned);
    if (reached < stop) return reached;
    start = stop;
    await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
  }
  return planned;
}

interface Segment extends Pick<CodecTools, "yieldIfDue"> {
  readonly bytes: number;
  readonly effort: Effort;
  /** Symbol counts of the previous segment. */
  readonly counts: SymbolCounts;
  readonly isLast: boolean;
}

/** @returns the symbol counts, with which the next segment starts */
async function deflateSegment(engine: PngEngine, segment: Segment): Promise<SymbolCounts> {
  const { bytes, effort, isLast, yieldIfDue } = segment;
  const { loops } = engine;
  const setEngineCosts = (counts: SymbolCounts) => setCosts(engine.wordsAt(loops.costsAt(), ENGINE_SYMBOLS), counts);
  let { counts } = segment;
  let size = 0;
  for (let pass = effort.isThorough ? 0 : 1; pass < 2; pass++) {
    setEngineCosts(counts);
    size = effort.isThorough ? loops.chooseRoughly(0, bytes) : loops.chooseFast(0, bytes);
    counts = countTokens(engine, 0, size);
    await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
  }
  const blocks = loops.splitBlocks(size);
  await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
  let start = 0;
  for (let index = 0; index < blocks; index++) {
    const end = start + loops.bytesOfBlock(index);
    setEngineCosts(symbolCounts(engine.wordsAt(loops.countsOfBlock(index), COUNTED_SYMBOLS)));
    let chosen = loops.chooseExactly(start, end);
    if (effort.isThorough) {
      await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
      setEngineCosts(countTokens(engine, 0, chosen));
      chosen = loops.chooseExactly(start, end);
    }
    writeBlock(engine, chosen, countTokens(engine, 0, chosen), isLast && end === bytes);
    start = end;
    await yieldIfDue(loops.takeLooks() * MS_PER_LOOK);
  }
  return counts;
}

function countTokens(engine: PngEngine, from: number, to: number): SymbolCounts {
  const { loops } = engine;
  loops.countTokens(from, to);
  return symbolCounts(engine.wordsAt(loops.countsAt(), COUNTED_SYMBOLS));
}

function setLastLengths({ loops }: PngEngine): void {
  new Uint16Array(loops.memory.buffer, loops.lastLengthsAt(), LENGTH_CODE.length).set(
    Uint16Array.from(LENGTH_CODE, (code) => LENGTH_CODE.lastIndexOf(code)),
  );
}

/** The initial guess: literals occur as often as in the data, matches of all kinds equally. */
function guess(data: Uint8Array): SymbolCounts {
  const counts = symbolCounts(new Uint32Array(COUNTED_SYMBOLS));
  for (const value of data) counts.literalsAndLengths[value] = (counts.literalsAndLengths[value] ?? 0) + 1;
  counts.literalsAndLengths.fill(data.length / 64, 257, LITERALS_AND_LENGTHS);
  counts.distances.fill(1);
  return counts;
}
