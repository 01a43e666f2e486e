import { packViews, type View } from "../domain/view-pack.ts";

export interface JournaledView extends View {
  readonly accountId: string;
}

/** Views that are sent together, in one message: it is of at most 90 KB then, though each be of another account. */
export const SEQUENCE_VIEWS = 1000;
/** A journal that cannot send keeps so many sequences: two million views, 170 MB. */
const MAX_SEQUENCES = 2000;
const STATE = "journal";

interface JournalState {
  /** Drawn at random: an object of the same name that was made anew must not be taken for the one before. */
  readonly id: string;
  /** What is in this sequence and those before it does not change any more, for it may have been sent. */
  readonly sealedThrough: number;
  /** The newest view of those sequences. */
  readonly sealedAt: number;
}

interface SequenceRow extends Record<string, SqlStorageValue> {
  sequence: number;
  count: number;
  views: string;
}

/**
 * A journal's rows. A row is a sequence: views that are sent together and removed together. Each group of views is appended to
 * the last row, so that it costs one row written, and one more for the removal of a thousand views. All calls are synchronous.
 */
export class JournalStore {
  readonly #storage: DurableObjectStorage;
  #state: JournalState;
  /** The last row, and how many views it has. */
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

  /** Views up to this moment may be in sequences that were removed. */
  get sealedAt(): number {
    return this.#state.sealedAt;
  }

  get isEmpty(): boolean {
    return this.#sequences === 0;
  }

  get isFull(): boolean {
    return this.#sequences >= MAX_SEQUENCES;
  }

  /** The sequences that are not sealed, in order, one at a time: there may be more than memory has room for. */
  *unsealed(): Generator<JournaledView[]> {
    for (let after = this.#state.sealedThrough; ; ) {
      const [row] = this.#rows("WHERE sequence > ? ORDER BY sequence LIMIT 1", after);
      if (row === undefined) return;
      yield parseViews(row.views);
      after = row.sequence;
    }
  }

  /** Appends views to the last sequence, and begins others where it is full; in one transaction. */
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
   * Seals what there is, before it is sent: views that come now begin another sequence.
   * @param newestAt no view that is sealed is newer than this
   * @returns the sequences that are to be sent, in order
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
    return new Map(Array.from(byAccount, ([accountId, own]) => [accountId, packViews(own)]));
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

function toLine({ id, at, accountId, resourceId }: JournaledView): string {
  return `${id} ${at} ${accountId} ${resourceId}\n`;
}

function parseViews(lines: string): JournaledView[] {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [id = "", at, accountId = "", resourceId = ""] = line.split(" ");
      return { id, at: Number(at), accountId, resourceId };
    });
}
