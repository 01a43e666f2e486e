/** A write to a library that is on its way to another shard, or is there already; nothing of it was written. */
export class LibraryMovedError extends Error {
  constructor(cause: unknown) {
    super("The library is moving to another shard", { cause });
    this.name = "LibraryMovedError";
  }
}

/** What the triggers of migrations/library say; undefined for every other error. */
export function toLibraryMovedError(error: unknown): LibraryMovedError | undefined {
  return /library is leaving|library has left/.test(String(error)) ? new LibraryMovedError(error) : undefined;
}
