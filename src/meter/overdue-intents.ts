import { describeError, toLogLine } from "../domain/log-line.ts";
import type { StoredIntent } from "./intent-store.ts";
import type { OverdueIntent } from "./overdue-registry.ts";

const KEY = "overdue-intents";
/** One alarm replays as many. */
const MAX_NOTED = 50;
const MAX_REASON_LENGTH = 200;

/**
 * Which of an account's intents could not be replayed, and why: the service's meter is told, so that the operator finds them among a
 * million accounts. A note is kept until it was told that the intent is settled, whatever is lost in between.
 */
export class OverdueIntents {
  readonly #kv: SyncKvStorage;
  /**
   * Reasons by intent; null where a later replay did not fail, which is still to be told. In memory too, as an account that is erased
   * forgets what it stored.
   */
  readonly #reasons: Map<string, string | null>;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#reasons = kv.get<Map<string, string | null>>(KEY) ?? new Map();
  }

  /** Whether there is anything to tell. Where nothing ever failed there is not. */
  get hasNews(): boolean {
    return this.#reasons.size > 0;
  }

  /** A replay failed; it is tried again later. */
  note(id: string, error: unknown): void {
    if (!this.#reasons.has(id) && this.#reasons.size >= MAX_NOTED) return;
    this.#reasons.set(id, toReason(error));
    this.#kv.put(KEY, this.#reasons);
  }

  /** A replay did not fail. */
  clear(id: string): void {
    if (!this.#reasons.has(id)) return;
    this.#reasons.set(id, null);
    this.#kv.put(KEY, this.#reasons);
  }

  /** Why its last replay failed; undefined where it did not. */
  reasonOf(id: string): string | undefined {
    return this.#reasons.get(id) ?? undefined;
  }

  /**
   * Tells which are still there.
   * @param find an intent that is not settled
   * @param tell takes the place of whatever was told before
   */
  async report(
    find: (id: string) => StoredIntent | undefined,
    tell: (intents: OverdueIntent[]) => Promise<void>,
  ): Promise<void> {
    const open = Array.from(this.#reasons).flatMap(([id, reason]): OverdueIntent[] => {
      const found = find(id);
      if (reason === null || found === undefined || found.attempts === 0) return [];
      return [{ id, kind: found.intent.kind, attempts: found.attempts, nextAt: found.dueAt, reason }];
    });
    try {
      await tell(open);
    } catch (error) {
      // The next alarm tells it.
      console.error(toLogLine("intents.not-reported", { count: open.length }, error));
      return;
    }
    this.#keep(new Set(open.map(({ id }) => id)));
  }

  #keep(open: ReadonlySet<string>): void {
    const settled = [...this.#reasons.keys()].filter((id) => !open.has(id));
    if (settled.length === 0) return;
    for (const id of settled) this.#reasons.delete(id);
    if (this.#reasons.size === 0) this.#kv.delete(KEY);
    else this.#kv.put(KEY, this.#reasons);
  }
}

/** What the first cause said: it names no value that a statement was bound to. */
function toReason(error: unknown): string {
  let described = describeError(error);
  while (described.cause !== undefined) described = described.cause;
  return `${described.name}: ${described.message}`.slice(0, MAX_REASON_LENGTH);
}
