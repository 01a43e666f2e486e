/** A write to a library that is on its way to another shard, or is there already; nothing of it was written. */
export class LibraryMovedError extends Error {
  /** Whether it is there already, or is being erased. */
  readonly hasLeft: boolean;

  constructor(hasLeft: boolean, cause?: unknown) {
    super(hasLeft ? "The library has left for another shard" : "The library is moving to another shard", { cause });
    this.name = "LibraryMovedError";
    this.hasLeft = hasLeft;
  }
}

/** What the triggers of migrations/library say; undefined for every other error. */
export function toLibraryMovedError(error: unknown): LibraryMovedError | undefined {
  const said = /library (?:is leaving|has left)/.exec(String(error));
  return said === null ? undefined : new LibraryMovedError(said[0] === "library has left", error);
}
