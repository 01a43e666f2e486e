import { beginBits } from "./bit-writer";
import { layOutPaths } from "./cheapest-tokens";
import { beginChecksum } from "./checksum";
import { layOutMatches } from "./match-finder";
import { beginSegments } from "./segment";
import { layOutBlocks } from "./split-blocks";
import { layOutTokens } from "./tokens";

/**
 * Starts a stream.
 * @param dataBytes of all segments
 * @param segmentBytes of the longest segment
 * @param waitingBytes the most that may wait after a segment
 */
export function beginDeflate(dataBytes: i32, segmentBytes: i32, waitingBytes: i32): void {
  beginSegments(segmentBytes, waitingBytes);
  layOutTokens(segmentBytes);
  layOutBlocks(segmentBytes);
  layOutPaths(segmentBytes);
  layOutMatches(dataBytes, segmentBytes);
  beginBits();
  beginChecksum();
}
