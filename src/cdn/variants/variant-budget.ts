import { DurableObject } from "cloudflare:workers";
import {
  AWAKE_SECOND_MICRODOLLARS,
  AWAKE_SECONDS,
  allowanceLeft,
  MAX_ORDER_SECONDS,
  PROCESSOR_SECOND_MICRODOLLARS,
  type StoredAllowance,
  VARIANT_MICRODOLLARS,
} from "../../domain/allowance.ts";
import type { TierName } from "../../domain/tiers.ts";
import {
  areSameSizes,
  type MadeVariants,
  type RecordedVariants,
  type VariantSizes,
} from "../../domain/variants/made-variants.ts";

const KEY = "allowance";

interface Stored extends StoredAllowance {
  readonly tier: TierName;
  /** The time until which this account's orders keep a media processor awake. */
  readonly awakeUntil: number;
}

/** The most rows that `list` returns: R2 lists as many files' variants. */
const MAX_LISTED = 1000;

/** Files with variants: their number, their bytes, and the bytes of each by its name. A file has at most `MAX_VARIANTS`. */
const TABLE = `CREATE TABLE IF NOT EXISTS made (
  version TEXT PRIMARY KEY, count INTEGER NOT NULL, bytes INTEGER NOT NULL, sizes TEXT NOT NULL
) WITHOUT ROWID`;

/**
 * The allowance for new variants of one account's files (VAR-14), which its visitors use. It fills up over 30 days. Each account has one
 * budget in the CDN Worker, because that Worker makes variants without the API Worker. It also records the stored variants (VAR-6).
 */
export class VariantBudget extends DurableObject {
  /** The sum of the table. Undefined until someone asks for it. */
  #made: MadeVariants | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(TABLE);
  }

  /** Takes the price of a variant that is about to be made. @returns false if the allowance is empty */
  take(tier: TierName): boolean {
    return this.#take(VARIANT_MICRODOLLARS, tier);
  }

  /**
   * Takes the most that an order to the media processor may cost; `settle` gives back the rest. Orders of the same minute share the time
   * in which the processor stays awake.
   * @returns false if the allowance is empty
   */
  takeOrder(tier: TierName): boolean {
    const now = Date.now();
    const until = now + AWAKE_SECONDS * 1000;
    const awakeSeconds = (until - Math.max(now, this.#read()?.awakeUntil ?? 0)) / 1000;
    const work = MAX_ORDER_SECONDS * PROCESSOR_SECOND_MICRODOLLARS;
    return this.#take(work + awakeSeconds * AWAKE_SECOND_MICRODOLLARS, tier, until);
  }

  /** Takes the price of work that was done. @param seconds below zero if less was done than was taken before */
  settle(seconds: number): void {
    const stored = this.#read();
    if (stored === undefined) return;
    const now = Date.now();
    const left = allowanceLeft(stored, stored.tier, now) - seconds * PROCESSOR_SECOND_MICRODOLLARS;
    this.ctx.storage.kv.put(KEY, { ...stored, left, at: now } satisfies Stored);
  }

  /** All stored variants of the account. The sum is read once: a row read costs a thousandth of a row written. */
  read(): MadeVariants {
    this.#made ??= this.ctx.storage.sql
      .exec<{ count: number; bytes: number }>("SELECT TOTAL(count) AS count, TOTAL(bytes) AS bytes FROM made")
      .one();
    return this.#made;
  }

  /** The files with variants whose version is in this range, the first ones of them in order. @param before null: no end */
  list(from: string, before: string | null): RecordedVariants[] {
    const query = "SELECT version, count, bytes FROM made WHERE version >= ? AND (?2 IS NULL OR version < ?2)";
    return this.ctx.storage.sql
      .exec<{ version: string; count: number; bytes: number }>(
        `${query} ORDER BY version LIMIT ${MAX_LISTED}`,
        from,
        before,
      )
      .toArray();
  }

  /** The bytes of a file's variants by their names. */
  sizesOf(version: string): VariantSizes {
    const query = "SELECT sizes FROM made WHERE version = ?";
    const [row] = this.ctx.storage.sql.exec<{ sizes: string }>(query, version).toArray();
    return row === undefined ? {} : JSON.parse(row.sizes);
  }

  /** Records a variant that is stored. */
  note(version: string, name: string, sizeBytes: number): void {
    const former = this.sizesOf(version);
    if (former[name] !== sizeBytes) this.#write(version, former, { ...former, [name]: sizeBytes });
  }

  /** Removes variants from the record. It is called before they are deleted, so that an interrupted deletion calls it again. */
  forget(version: string, names: readonly string[]): void {
    const former = this.sizesOf(version);
    const left = Object.entries(former).filter(([name]) => !names.includes(name));
    if (left.length < Object.keys(former).length) this.#write(version, former, Object.fromEntries(left));
  }

  /** Replaces the record of a file's variants. @returns false if it is no longer `recorded`: a variant was made or deleted meanwhile */
  recount(version: string, recorded: VariantSizes, sizes: VariantSizes): boolean {
    const former = this.sizesOf(version);
    if (!areSameSizes(former, recorded)) return false;
    this.#write(version, former, sizes);
    return true;
  }

  /** Deletes everything of an erased account. */
  async erase(): Promise<void> {
    this.#made = undefined;
    await this.ctx.storage.deleteAll();
    this.ctx.storage.sql.exec(TABLE);
  }

  #write(version: string, former: VariantSizes, sizes: VariantSizes): void {
    const { sql } = this.ctx.storage;
    const [before, now] = [totalOf(former), totalOf(sizes)];
    if (now.count === 0) sql.exec("DELETE FROM made WHERE version = ?", version);
    else {
      const query = "INSERT OR REPLACE INTO made (version, count, bytes, sizes) VALUES (?, ?, ?, ?)";
      sql.exec(query, version, now.count, now.bytes, JSON.stringify(sizes));
    }
    if (this.#made === undefined) return;
    const { count, bytes } = this.#made;
    this.#made = { count: count + now.count - before.count, bytes: bytes + now.bytes - before.bytes };
  }

  #take(microdollars: number, tier: TierName, awakeUntil?: number): boolean {
    const now = Date.now();
    const stored = this.#read();
    const left = allowanceLeft(stored, tier, now);
    if (left <= 0) return false;
    const next = { tier, left: left - microdollars, at: now, awakeUntil: awakeUntil ?? stored?.awakeUntil ?? 0 };
    this.ctx.storage.kv.put(KEY, next satisfies Stored);
    return true;
  }

  #read(): Stored | undefined {
    return this.ctx.storage.kv.get<Stored>(KEY);
  }
}

function totalOf(sizes: VariantSizes): MadeVariants {
  const all = Object.values(sizes);
  return { count: all.length, bytes: all.reduce((sum, bytes) => sum + bytes, 0) };
}
