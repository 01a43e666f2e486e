/** A write to a library that is moving or has moved to another shard. Nothing of it was written. */
export class LibraryMovedError extends Error {
  /** Whether the library has moved already or is being erased. */
  readonly hasLeft: boolean;

  constructor(hasLeft: boolean, cause?: unknown) {
    super(hasLeft ? "The library has left for another shard" : "The library is moving to another shard", { cause });
    this.name = "LibraryMovedError";
    this.hasLeft = hasLeft;
  }
}

/** Recognises the errors of the triggers in migrations/library; undefined for every other error. */
export function toLibraryMovedError(error: unknown): LibraryMovedError | undefined {
  const said = /library (?:is leaving|has left)/.exec(String(error));
  return said === null ? undefined : new LibraryMovedError(said[0] === "library has left", error);
}
