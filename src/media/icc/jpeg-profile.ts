import { concatBytes, startsWith } from "../bytes.ts";
import { APP2, MarkerWalk, SOS } from "../jpeg/markers.ts";

const NAME = "ICC_PROFILE\0";
/** The name, the segment's number and their count (ICC.1, B.4). */
const HEADER_BYTES = 14;
const MAX_SEGMENT_BYTES = 65_533 - HEADER_BYTES;
/** The most segments that are read: a file may contain millions of tiny ones. */
const MAX_SEGMENTS = 20_000;
/** Larger profiles are for printing. They would take most of a small picture's bytes. */
const MAX_PROFILE_BYTES = 64 * 1024;

/** The profile of a JPEG's APP2 segments; undefined if it is missing, incomplete, or too large to be copied. */
export function joinIccSegments(segments: readonly Uint8Array[]): Uint8Array | undefined {
  const numbered = segments.toSorted((a, b) => (a[NAME.length] ?? 0) - (b[NAME.length] ?? 0));
  const isComplete = numbered.length > 0 && numbered.every((segment, i) => segment[NAME.length] === i + 1);
  if (!isComplete || numbered.length !== numbered[0]?.[NAME.length + 1]) return undefined;
  const profile = concatBytes(numbered.map((segment) => segment.subarray(HEADER_BYTES)));
  return profile.length <= MAX_PROFILE_BYTES ? profile : undefined;
}

/** The contents of a profile's APP2 segments, without marker and length. */
export function iccSegmentsOf(profile: Uint8Array): Uint8Array[] {
  const count = Math.ceil(profile.length / MAX_SEGMENT_BYTES);
  return Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * MAX_SEGMENT_BYTES, (i + 1) * MAX_SEGMENT_BYTES);
    return concatBytes([new TextEncoder().encode(NAME), Uint8Array.of(i + 1, count), part]);
  });
}

/** Reads the profile before the first scan. */
export function readJpegProfile(bytes: Uint8Array): Uint8Array | undefined {
  const walk = new MarkerWalk(bytes);
  const found: Uint8Array[] = [];
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    const segment = walk.next();
    if (segment === undefined || segment.marker === SOS || segment.end > bytes.length) break;
    const content = bytes.subarray(segment.begin, segment.end);
    if (segment.marker === APP2 && startsWith(content, NAME)) found.push(content);
  }
  return joinIccSegments(found);
}
