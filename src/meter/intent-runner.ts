import { toLogLine } from "../domain/log-line.ts";
import { Turns } from "../isolate/turns.ts";
import { type AccountChange, type Intent, intentId } from "./intent.ts";
import { IntentCompletion, type IntentCompletionOptions, type ThumbnailSettlement } from "./intent-completion.ts";
import type { StoredIntent } from "./intent-store.ts";
import type { IntentStores } from "./intent-stores.ts";
import type { OverdueIntents } from "./overdue-intents.ts";
import { scheduleAlarm } from "./schedule-alarm.ts";

/** The intents that one alarm replays; another alarm follows at once where there are more. */
const REPLAYS_PER_ALARM = 50;
const MAX_BACKOFF_MS = 60 * 60_000;

export interface IntentRunnerOptions extends IntentCompletionOptions {
  /** Those whose replay failed. */
  readonly overdue: OverdueIntents;
}

/**
 * Carries intents out and settles them. All work on intents of the same id is done in turns, and a turn carries out the
 * intent that is stored when the turn begins: of two changes the newer one always reaches the catalogue last, so long as the object
 * lives. What a life before this one sent may arrive at any time (`db/directory/account-changes.ts`).
 */
export class IntentRunner {
  readonly #options: IntentRunnerOptions;
  readonly #completion: IntentCompletion;
  readonly #turns = new Turns();

  constructor(options: IntentRunnerOptions) {
    this.#options = options;
    this.#completion = new IntentCompletion(options);
  }

  /**
   * Announces a change, applies it to this object's own tables in the same transaction, carries it out in the other stores
   * and settles it. Where a store fails, the error reaches the caller and the alarm finishes the change.
   * @returns false where another call settled it meanwhile
   */
  async change(intent: Intent, applyHere: () => void = () => {}): Promise<boolean> {
    const { storage, timeoutMs } = this.#options;
    const id = intentId(intent);
    storage.transactionSync(() => {
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
      applyHere();
    });
    await this.scheduleAlarm();
    return this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      return stored !== undefined && this.#completion.carryOut(stored);
    });
  }

  /** Like `change`, of what the directory says of the account. */
  async changeAccount(change: AccountChange, applyHere?: () => void): Promise<boolean> {
    return this.change({ ...change, changedAt: this.#intents.nextChangeAt(Date.now()) }, applyHere);
  }

  /**
   * Announces that an account is being opened, and opens it. What fails is undone, so far as it came.
   * @param open false where it cannot be
   */
  async register(announce: () => void, open: (stores: IntentStores) => Promise<boolean>): Promise<boolean> {
    const { storage, timeoutMs, openStores } = this.#options;
    const intent = { kind: "register" } as const;
    storage.transactionSync(() => {
      announce();
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
    });
    await this.scheduleAlarm();
    return this.#turns.take(intentId(intent), async () => {
      try {
        if (await open(openStores())) return this.#intents.remove(intentId(intent));
      } catch (error) {
        await this.#completion
          .unregister({ mayComeLate: true })
          .catch((later: unknown) => console.error(toLogLine("account.undone-later", {}, later)));
        throw error;
      }
      await this.#completion.unregister({ mayComeLate: false });
      return false;
    });
  }

  /** Replays intents that nobody settled in time; one that fails is tried again, later each time. */
  async replayDue(): Promise<void> {
    for (const { id } of this.#intents.listDue(Date.now(), REPLAYS_PER_ALARM)) await this.#replayOrDefer(id);
  }

  /** Replays one at once that is overdue, for the operator; one that fails is tried again later. */
  async replayNow(id: string): Promise<void> {
    this.#intents.renew(id, Date.now());
    await this.#replayOrDefer(id);
    await this.scheduleAlarm();
  }

  /** Carries out what is stored under this id, when its turn has come. Whatever ends this call, the alarm goes on. */
  async goOn(id: string): Promise<void> {
    await this.scheduleAlarm();
    await this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined) await this.#completion.carryOut(stored);
    });
    await this.scheduleAlarm();
  }

  /**
   * Waits for an upload's replay that is under way. One whose time ran out may be undone in part, by a replay that failed or
   * was cut short: only another one can tell what is left.
   */
  async finishReplay(id: string): Promise<void> {
    await this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined && (stored.attempts > 0 || stored.dueAt <= Date.now()))
        await this.#completion.carryOut(stored);
    });
  }

  /** Counts a video's thumbnail as R2 holds it, and has the catalogue say the same. */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    return this.#turns.take(intentId({ kind: "thumbnail", uploadId }), () =>
      this.#completion.settleThumbnail(uploadId),
    );
  }

  /** The next due intent or alert, or the next pruning of the log; an earlier alarm that is set stays. */
  async scheduleAlarm(): Promise<void> {
    await scheduleAlarm(this.#options.storage, this.#options.books);
  }

  async #replayOrDefer(id: string): Promise<void> {
    try {
      await this.#turns.take(id, () => this.#replay(id));
      this.#options.overdue.clear(id);
    } catch (error) {
      const { ledger } = this.#options.books;
      const accountId = ledger.exists ? ledger.accountId : undefined;
      console.error(toLogLine("intent.not-replayed", { accountId, intentId: id }, error));
      const failed = this.#findDue(id);
      if (failed === undefined) return;
      const delayMs = Math.min(MAX_BACKOFF_MS, this.#options.timeoutMs() * 2 ** failed.attempts);
      this.#intents.defer(id, Date.now() + delayMs);
      this.#options.overdue.note(id, error);
    }
  }

  /** It may have been settled, renewed or replaced since it was listed. */
  async #replay(id: string): Promise<void> {
    const stored = this.#findDue(id);
    if (stored === undefined) return;
    if (stored.intent.kind === "upload") this.#intents.begin(id);
    const isDone = await this.#completion.carryOut(stored);
    // The next alarm goes on at once.
    if (!isDone && stored.intent.kind === "delete-folder") this.#intents.renew(id, Date.now());
  }

  #findDue(id: string): StoredIntent | undefined {
    const stored = this.#intents.find(id);
    return stored !== undefined && stored.dueAt <= Date.now() ? stored : undefined;
  }

  get #intents() {
    return this.#options.books.intents;
  }
}
