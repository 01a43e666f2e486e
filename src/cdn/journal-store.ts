import { packViews, type View } from "../domain/view-pack.ts";

export interface JournaledView extends View {
  readonly accountId: string;
  /** Bytes that were sent; missing in rows of earlier versions. */
  readonly bytes?: number;
}

/** Views in one message: at most 90 KB, even if each belongs to another account. */
export const SEQUENCE_VIEWS = 1000;
/** A journal that cannot send keeps this many sequences: two million views, 170 MB. */
const MAX_SEQUENCES = 2000;
const STATE = "journal";

interface JournalState {
  /** The journal's id is random, so that a recreated object of the same name is not taken for the earlier object. */
  readonly id: string;
  /** This sequence and those before it no longer change, because they may have been sent. */
  readonly sealedThrough: number;
  /** The time of the newest sealed view. */
  readonly sealedAt: number;
}

interface SequenceRow extends Record<string, SqlStorageValue> {
  sequence: number;
  count: number;
  views: string;
}

/**
 * A journal's rows. A row is a sequence: views that are sent and removed together. Each group of views is appended to the last row. This
 * costs one row written per group, and one removal per thousand views. All calls are synchronous.
 */
export class JournalStore {
  readonly #storage: DurableObjectStorage;
  #state: JournalState;
  /** The last row and its number of views. */
  #open: { sequence: number; count: number };
  #sequences: number;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS sequences (
        sequence INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        views TEXT NOT NULL
      );
    `);
    this.#state = storage.kv.get<JournalState>(STATE) ?? { id: newJournalId(), sealedThrough: 0, sealedAt: 0 };
    const [last] = this.#rows("ORDER BY sequence DESC LIMIT 1");
    const isOpen = last !== undefined && last.sequence > this.#state.sealedThrough;
    this.#open = isOpen ? last : { sequence: this.#state.sealedThrough + 1, count: 0 };
    this.#sequences = storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM sequences").one().n;
  }

  get id(): string {
    return this.#state.id;
  }

  /** Views up to this time may be in sequences that were removed. */
  get sealedAt(): number {
    return this.#state.sealedAt;
  }

  get isEmpty(): boolean {
    return this.#sequences === 0;
  }

  get isFull(): boolean {
    return this.#sequences >= MAX_SEQUENCES;
  }

  /** The sequences that are not sealed, in order, one at a time, because all of them may not fit in memory. */
  *unsealed(): Generator<JournaledView[]> {
    for (let after = this.#state.sealedThrough; ; ) {
      const [row] = this.#rows("WHERE sequence > ? ORDER BY sequence LIMIT 1", after);
      if (row === undefined) return;
      yield parseViews(row.views);
      after = row.sequence;
    }
  }

  /** Appends views to the last sequence in one transaction; a full sequence is followed by a new one. */
  append(views: readonly JournaledView[]): void {
    let open = this.#open;
    let begun = 0;
    this.#storage.transactionSync(() => {
      for (let from = 0; from < views.length; ) {
        if (open.count === SEQUENCE_VIEWS) open = { sequence: open.sequence + 1, count: 0 };
        const part = views.slice(from, from + SEQUENCE_VIEWS - open.count);
        this.#storage.sql.exec(
          "INSERT INTO sequences (sequence, count, views) VALUES (?, ?, ?) ON CONFLICT (sequence) DO UPDATE SET count = count + excluded.count, views = views || excluded.views",
          open.sequence,
          part.length,
          part.map(toLine).join(""),
        );
        if (open.count === 0) begun += 1;
        open = { sequence: open.sequence, count: open.count + part.length };
        from += part.length;
      }
    });
    this.#open = open;
    this.#sequences += begun;
  }

  /**
   * Seals all views before they are sent: later views begin another sequence.
   * @param newestAt no sealed view is newer than this
   * @returns the sequences to send, in order
   */
  seal(newestAt: number): number[] {
    if (this.#open.count > 0) {
      const { id, sealedAt } = this.#state;
      const state = { id, sealedThrough: this.#open.sequence, sealedAt: Math.max(sealedAt, newestAt) };
      this.#storage.kv.put(STATE, state);
      this.#state = state;
      this.#open = { sequence: state.sealedThrough + 1, count: 0 };
    }
    return this.#storage.sql
      .exec<{ sequence: number }>("SELECT sequence FROM sequences ORDER BY sequence")
      .toArray()
      .map(({ sequence }) => sequence);
  }

  /** A sequence's views, packed, by account id. */
  read(sequence: number): Map<string, Uint8Array> {
    const views = this.#rows("WHERE sequence = ?", sequence).flatMap((row) => parseViews(row.views));
    const byAccount = Map.groupBy(views, ({ accountId }) => accountId);
    return new Map(Array.from(byAccount, ([accountId, own]) => [accountId, packViews(own, sumBytes(own))]));
  }

  remove(sequence: number): void {
    this.#storage.sql.exec("DELETE FROM sequences WHERE sequence = ?", sequence);
    this.#sequences -= 1;
  }

  #rows(which: string, ...values: number[]): SequenceRow[] {
    return this.#storage.sql
      .exec<SequenceRow>(`SELECT sequence, count, views FROM sequences ${which}`, ...values)
      .toArray();
  }
}

function newJournalId(): string {
  return crypto.randomUUID().slice(-12);
}

function sumBytes(views: readonly JournaledView[]): number {
  return views.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}

function toLine({ id, at, accountId, resourceId, bytes = 0 }: JournaledView): string {
  return `${id} ${at} ${accountId} ${resourceId} ${bytes}\n`;
}

function parseViews(lines: string): JournaledView[] {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [id = "", at, accountId = "", resourceId = "", bytes = 0] = line.split(" ");
      return { id, at: Number(at), accountId, resourceId, bytes: Number(bytes) };
    });
}
