import { describeError, toLogLine } from "../../domain/log-line.ts";
import type { OverdueIntent } from "../service/overdue-registry.ts";
import type { StoredIntent } from "./intent-table.ts";

const KEY = "overdue-intents";
/** The most intents that one alarm replays. */
const MAX_NOTED = 50;
const MAX_REASON_LENGTH = 200;

/**
 * The account's intents whose replay failed, and the reasons. They are reported to the service's meter, so that the operator finds them
 * among a million accounts. A record stays until the service's meter knows that the intent is settled.
 */
export class OverdueIntents {
  readonly #kv: SyncKvStorage;
  /**
   * Reasons by intent; null if a later replay succeeded and this is not reported yet. They are also in memory, because an erased account
   * forgets its storage.
   */
  readonly #reasons: Map<string, string | null>;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#reasons = kv.get<Map<string, string | null>>(KEY) ?? new Map();
  }

  /** Whether there is anything to report. If no replay ever failed, there is not. */
  get hasNews(): boolean {
    return this.#reasons.size > 0;
  }

  /** Records a failed replay. It is retried later. */
  note(id: string, error: unknown): void {
    if (!this.#reasons.has(id) && this.#reasons.size >= MAX_NOTED) return;
    this.#reasons.set(id, toReason(error));
    this.#kv.put(KEY, this.#reasons);
  }

  /** Records a replay that succeeded. */
  clear(id: string): void {
    if (!this.#reasons.has(id)) return;
    this.#reasons.set(id, null);
    this.#kv.put(KEY, this.#reasons);
  }

  /** The reason of the last replay's failure; undefined if it succeeded. */
  reasonOf(id: string): string | undefined {
    return this.#reasons.get(id) ?? undefined;
  }

  /**
   * Reports the intents that are still open.
   * @param find returns an open intent
   * @param tell replaces the account's earlier report
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
      // The next alarm reports it.
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

/** The message of the first cause, which contains no value that was bound to a statement. */
function toReason(error: unknown): string {
  let described = describeError(error);
  while (described.cause !== undefined) described = described.cause;
  return `${described.name}: ${described.message}`.slice(0, MAX_REASON_LENGTH);
}
