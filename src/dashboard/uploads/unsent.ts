/** Files that a closed page had not sent. The next page reports them. */
export interface Unsent {
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** The number of all files; `files` has only the first. */
  readonly count: number;
}

interface Note extends Unsent {
  /** The owner. Other accounts must not see the names. */
  readonly accountId: string;
  /** Milliseconds since 1970; the page was still open then. */
  readonly seenAt: number;
  readonly isClosed: boolean;
}

const PREFIX = "uploads.unsent.";
const MOST_NAMES = 50;
/** Browsers run the timers of a hidden page once a minute. */
export const NOTE_EVERY_MS = 20_000;
const GONE_AFTER_MS = 150_000;

/** Stores strings: `localStorage`. */
type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** An open page and its session's account. */
export interface PageOf {
  readonly id: string;
  readonly accountId: string;
}

/** @param isClosed when the page is about to close */
export function noteUnsent(
  memory: Memory,
  page: PageOf,
  unsent: Iterable<Unsent["files"][number]>,
  now: number,
  isClosed: boolean,
): void {
  const all = [...unsent];
  if (all.length === 0) {
    memory.removeItem(PREFIX + page.id);
    return;
  }
  const files = all.slice(0, MOST_NAMES).map(({ name, sizeBytes }) => ({ name, sizeBytes }));
  const note: Note = { accountId: page.accountId, files, count: all.length, seenAt: now, isClosed };
  try {
    memory.setItem(PREFIX + page.id, JSON.stringify(note));
  } catch {
    // The storage is full or forbidden, so nothing is reported later.
  }
}

/** @returns the unsent files of the account's closed pages; each is returned once */
export function takeUnsent(memory: Memory, accountId: string, now: number): Unsent | undefined {
  const keys = Array.from({ length: memory.length }, (_, at) => memory.key(at)).filter((key) =>
    key?.startsWith(PREFIX),
  );
  const gone = keys.flatMap((key) => {
    const note = readNote(memory, key ?? "");
    const isThere = note !== undefined && !note.isClosed && now - note.seenAt < GONE_AFTER_MS;
    if (isThere || (note !== undefined && note.accountId !== accountId)) return [];
    memory.removeItem(key ?? "");
    return note ?? [];
  });
  if (gone.length === 0) return undefined;
  return {
    files: gone.flatMap(({ files }) => files).slice(0, MOST_NAMES),
    count: gone.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Any script may have written the note. */
function readNote(memory: Memory, key: string): Note | undefined {
  try {
    const note = JSON.parse(memory.getItem(key) ?? "") as Partial<Note> | null;
    const { accountId, files, count, seenAt, isClosed } = note ?? {};
    if (!Array.isArray(files) || typeof count !== "number" || typeof seenAt !== "number") return undefined;
    if (typeof accountId !== "string") return undefined;
    const named = files.filter(({ name, sizeBytes }) => typeof name === "string" && typeof sizeBytes === "number");
    return { accountId, files: named, count, seenAt, isClosed: isClosed === true };
  } catch {
    return undefined;
  }
}
