/** The largest distance, in edits of one character, between an unknown name and a suggested one. */
const MOST_EDITS = 2;
/** A client chooses the length of a name, and the time to compare names grows with it. */
const LONGEST_NAME = 64;

/** @returns the known name that a client probably meant by an unknown one; undefined if none is near */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const lower = name.toLowerCase();
  const nearest = known
    .map((each) => ({ each, edits: countEdits(lower, each.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits)[0];
  if (nearest === undefined || nearest.edits > Math.min(MOST_EDITS, nearest.each.length - 2)) return undefined;
  return nearest.each;
}

/** The Levenshtein distance of two short texts. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const replaced = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, (next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
