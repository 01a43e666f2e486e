import type { GuestLimits, SharedFiles } from "../../domain/share.ts";

/** The uploads of guests, and the upload token with which they are made. The token's signature is stored nowhere. */
export interface Guests extends GuestLimits {
  readonly tokenId: string;
  /** 256 random bits in base62, of which the token is made. */
  readonly random: string;
}

/** Times are milliseconds since the epoch. */
export interface StoredShare {
  readonly id: string;
  readonly files: SharedFiles;
  readonly title: string | null;
  /** The hash of the password, as an account's; null: everyone with the URL may open it. */
  readonly passwordHash: string | null;
  readonly createdAt: number;
  /** Null: it never ends. */
  readonly expiresAt: number | null;
  /** Whether the page offers downloads. */
  readonly allowDownload: boolean;
  /** Whether search engines may list the page. */
  readonly indexed: boolean;
  /** Null: guests upload nothing. */
  readonly guests: Guests | null;
}

/** A share with what its visitors have done. */
export interface CountedShare extends StoredShare {
  readonly guestFiles: number;
  readonly guestBytes: number;
  /** The number of times that its page was opened. */
  readonly views: number;
}

/** An owner's change of a share. Absent fields stay. */
export type ShareChange = Partial<Omit<StoredShare, "id" | "files" | "createdAt" | "guests">> & {
  /** Null: guests upload nothing more. */
  readonly guests?: GuestLimits | null;
};

export interface ShareSlice {
  /** Only older shares. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Views of a share that follow a stored view within this time are stored together with a later one. */
const VIEWS_TOGETHER_MS = 5000;

interface Viewing {
  readonly storedAt: number;
  readonly waiting: number;
}

/** Ids are digits and lower-case letters. */
const AFTER_ALL_IDS = "~";

interface ShareRow extends Record<string, SqlStorageValue> {
  id: string;
  created_at: number;
  share: string;
}

const SELECT = "SELECT id, created_at, share FROM shares";

/** An account's shares. Their URLs are derived, so none is stored. All calls are synchronous. */
export class ShareStore {
  readonly #sql: SqlStorage;
  readonly #viewings = new Map<string, Viewing>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS shares (
        id TEXT PRIMARY KEY,
        created_at INTEGER NOT NULL,
        share TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS share_views (share_id TEXT PRIMARY KEY, views INTEGER NOT NULL) WITHOUT ROWID;
    `);
  }

  /** A repeated call changes nothing. @returns false if the account has `max` shares already */
  add(share: StoredShare, max: number): boolean {
    const { n } = this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM shares WHERE id <> ?", share.id).one();
    if (n >= max) return false;
    this.#write("INSERT OR IGNORE", share);
    return true;
  }

  find(id: string): StoredShare | undefined {
    return this.#sql.exec<ShareRow>(`${SELECT} WHERE id = ?`, id).toArray().map(toShare)[0];
  }

  /** Newest first. */
  list({ before, limit }: ShareSlice): StoredShare[] {
    return this.#sql
      .exec<ShareRow>(`${SELECT} WHERE id < ? ORDER BY id DESC LIMIT ?`, before ?? AFTER_ALL_IDS, limit)
      .toArray()
      .map(toShare);
  }

  replace(share: StoredShare): void {
    this.#write("INSERT OR REPLACE", share);
  }

  /** @returns whether there was such a share */
  remove(id: string): boolean {
    this.#viewings.delete(id);
    this.#sql.exec("DELETE FROM share_views WHERE share_id = ?", id);
    return this.#sql.exec("DELETE FROM shares WHERE id = ? RETURNING id", id).toArray().length > 0;
  }

  /** Counts a view. A busy page writes a row in five seconds. The views that wait for it are lost if the object loses its memory. */
  countView(id: string, now: number): void {
    const { storedAt, waiting } = this.#viewings.get(id) ?? { storedAt: 0, waiting: 0 };
    const isStored = now - storedAt >= VIEWS_TOGETHER_MS;
    this.#viewings.set(id, isStored ? { storedAt: now, waiting: 0 } : { storedAt, waiting: waiting + 1 });
    if (!isStored) return;
    this.#sql.exec(
      "INSERT INTO share_views (share_id, views) VALUES (?1, ?2) ON CONFLICT (share_id) DO UPDATE SET views = views + ?2",
      id,
      waiting + 1,
    );
  }

  viewsOf(id: string): number {
    const [row] = this.#sql.exec<{ views: number }>("SELECT views FROM share_views WHERE share_id = ?", id).toArray();
    return (row?.views ?? 0) + (this.#viewings.get(id)?.waiting ?? 0);
  }

  #write(verb: string, { id, createdAt, ...share }: StoredShare): void {
    this.#sql.exec(
      `${verb} INTO shares (id, created_at, share) VALUES (?, ?, ?)`,
      id,
      createdAt,
      JSON.stringify(share),
    );
  }
}

function toShare({ id, created_at, share }: ShareRow): StoredShare {
  // Earlier shares took no uploads.
  const { guests = null, ...others } = JSON.parse(share) as Omit<StoredShare, "id" | "createdAt">;
  return { id, createdAt: created_at, guests, ...others };
}
