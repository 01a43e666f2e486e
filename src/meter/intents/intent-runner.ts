import { homeShard } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { Turns } from "../../isolate/calls.ts";
import type { StoredTakedown } from "../books/takedown-store.ts";
import type { AccountStores } from "./account-stores.ts";
import {
  type AccountChange,
  deleteIntentId,
  type Intent,
  intentId,
  isSecondPass,
  replacedBy,
  takedownIntentId,
  uploadIntentId,
  visibilityIntentId,
} from "./intent.ts";
import { IntentCompletion, type IntentCompletionOptions } from "./intent-completion.ts";
import type { StoredIntent } from "./intent-table.ts";
import type { ThumbnailSettlement } from "./outcomes.ts";
import type { OverdueIntents } from "./overdue-intents.ts";
import { forgetAtHome, rememberAtHome } from "./upload-home.ts";

/** The intents that one alarm replays. If there are more, another alarm follows at once. */
const REPLAYS_PER_ALARM = 50;
const MAX_BACKOFF_MS = 60 * 60_000;

export interface IntentRunnerOptions extends IntentCompletionOptions {
  /** Intents whose replay failed. */
  readonly overdue: OverdueIntents;
}

/**
 * Carries intents out and settles them. Work on intents of the same id is done in turns. A turn carries out the intent that is stored when
 * the turn begins, so of two changes the newer one reaches the other stores last while the object lives. Writes of an earlier life may
 * arrive at any time (`db/directory/account-changes.ts`).
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
   * Announces a change, applies it to this object's own tables in the same transaction, carries it out in the other stores and settles it.
   * If a store fails, the caller gets the error and the alarm finishes the change.
   * @returns false if another call has settled it since
   */
  async change(intent: Intent, applyHere: () => void = () => {}): Promise<boolean> {
    const { storage, timeoutMs } = this.#options;
    const id = intentId(intent);
    storage.transactionSync(() => {
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
      applyHere();
    });
    return this.#takeTurn(id, async () => {
      const stored = this.#intents.find(id);
      // An equal change has carried this one out. The second pass waits for its time.
      if (stored === undefined || isSecondPass(stored.intent)) return false;
      return this.#completion.carryOut(stored);
    });
  }

  /**
   * Announces a change that several requests may begin at once, if it is still needed. Only one of them announces it.
   * @returns the announced intent, perhaps of another request; undefined if the change is not needed
   */
  async announceOnce<I extends Intent>(
    intent: I,
    isNeeded: (stores: AccountStores) => Promise<boolean>,
  ): Promise<I | undefined> {
    const { openStores, timeoutMs } = this.#options;
    const id = intentId(intent);
    return this.#takeTurn(id, async () => {
      const found = this.#intents.find(id);
      if (found !== undefined) return found.intent as I;
      if (!(await isNeeded(openStores()))) return undefined;
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
      return intent;
    });
  }

  /** Repeats a takedown that a store has lost. @returns whether it was carried out */
  async takeDownAgain(takedown: StoredTakedown): Promise<boolean> {
    return this.change({ kind: "takedown", takedown });
  }

  /** Does the same as `change` for the account's facts in the directory. */
  async changeAccount(change: AccountChange, applyHere?: () => void): Promise<boolean> {
    return this.change({ ...change, changedAt: this.#intents.nextChangeAt(Date.now()) }, applyHere);
  }

  /**
   * Announces that an account is being opened, and opens it. A failure undoes every step.
   * @param open returns false if the account cannot be opened
   */
  async register(announce: () => void, open: (stores: AccountStores) => Promise<boolean>): Promise<boolean> {
    const { storage, timeoutMs, openStores } = this.#options;
    const intent = { kind: "register" } as const;
    storage.transactionSync(() => {
      announce();
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
    });
    return this.#takeTurn(intentId(intent), async () => {
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

  /**
   * Replays due intents. An intent whose replay fails is retried with growing delays. A store that does not answer takes an alarm's time,
   * which is bounded (Durable Objects documentation, "Limits"): the next alarm continues.
   */
  async replayDue(): Promise<void> {
    const endsAt = Date.now() + this.#options.timeoutMs();
    for (const { id } of this.#intents.listDue(Date.now(), REPLAYS_PER_ALARM)) {
      await this.#replayOrDefer(id);
      if (Date.now() >= endsAt) return;
    }
  }

  /** Replays an overdue intent at once, for the operator. If the replay fails, it is retried later. */
  async replayNow(id: string): Promise<void> {
    this.#intents.renew(id, Date.now());
    this.#options.tables.leases.end(id);
    await this.#replayOrDefer(id);
  }

  /**
   * Carries out the intent that is stored under this id, in its turn. If this call dies, the alarm continues. A second pass waits for its
   * time, because late writes may arrive before it.
   */
  async goOn(id: string): Promise<void> {
    await this.#takeTurn(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined && !isSecondPass(stored.intent)) await this.#completion.carryOut(stored);
    });
  }

  /** Waits until no work on this intent is under way. Later work is not kept out. */
  async waitForTurn(id: string): Promise<void> {
    if (this.#intents.find(id) !== undefined) await this.#turns.take(id, async () => undefined);
  }

  /**
   * Waits for a replay of an upload that is in progress. An overdue upload may be half undone by a replay that failed or died; only another
   * replay can determine its state.
   */
  async finishReplay(id: string): Promise<void> {
    await this.#takeTurn(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined && (stored.attempts > 0 || stored.dueAt <= Date.now()))
        await this.#completion.carryOut(stored);
    });
  }

  /** Records an upload in progress in the shard of its id, if the library has moved since (`upload-home.ts`). */
  async rememberAtHome(uploadId: string): Promise<void> {
    await this.#ifMoved(uploadId, async (stores) => {
      if (this.#intents.find(uploadIntentId(uploadId)) !== undefined) await rememberAtHome(uploadId, stores);
    });
  }

  /** Removes the home record of a cancelled upload, when no replay can write it any more. */
  async forgetAtHome(uploadId: string): Promise<void> {
    await this.#ifMoved(uploadId, (stores) => forgetAtHome(uploadId, stores));
  }

  /** Counts a video's thumbnail at the size that R2 has, and updates the row. */
  async settleThumbnail(uploadId: string, objectKey?: string): Promise<ThumbnailSettlement> {
    return this.#takeTurn(intentId({ kind: "thumbnail", uploadId }), () =>
      this.#completion.settleThumbnail(uploadId, objectKey),
    );
  }

  /**
   * Works on an upload while nothing else replaces, moves, takes down or deletes its objects.
   * @param work gets a function that carries out the intent with this id, which is one of the upload
   */
  async inTurnsOf<T>(uploadId: string, work: (carryOut: (id: string) => Promise<boolean>) => Promise<T>): Promise<T> {
    return this.#takeTurn(visibilityIntentId(uploadId), () =>
      work(async (id) => {
        const stored = this.#intents.find(id);
        return stored !== undefined && this.#completion.carryOut(stored);
      }),
    );
  }

  async #replayOrDefer(id: string): Promise<void> {
    try {
      await this.#takeTurn(id, () => this.#replay(id));
      this.#options.overdue.clear(id);
    } catch (error) {
      const { ledger } = this.#options.tables;
      const accountId = ledger.exists ? ledger.accountId : undefined;
      console.error(toLogLine("intent.not-replayed", { accountId, intentId: id }, error));
      const failed = this.#findDue(id);
      if (failed === undefined) return;
      const delayMs = Math.min(MAX_BACKOFF_MS, this.#options.timeoutMs() * 2 ** failed.attempts);
      this.#intents.defer(id, Date.now() + delayMs);
      this.#options.overdue.note(id, error);
    }
  }

  /** The intent may have been settled, renewed or replaced since it was listed. */
  async #replay(id: string): Promise<void> {
    const stored = this.#findDue(id);
    if (stored === undefined) return;
    if (stored.intent.kind === "upload") this.#intents.begin(id);
    const isDone = await this.#completion.carryOut(stored);
    // The next alarm continues at once.
    if (!isDone && stored.intent.kind === "delete-folder") this.#intents.renew(id, Date.now());
  }

  /**
   * Takes the turn of an intent. A change of visibility and a replacement replace the same objects as other changes of their upload, so they
   * also take their turns. These never take theirs. The restoration of a taken-down file takes the deletion's turn, because both write the
   * file's object.
   */
  async #takeTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const takedown = this.#intents.find(id)?.intent;
    if (takedown?.kind === "restore-file")
      return this.#turns.take(id, () => this.#turns.take(deleteIntentId(takedown.takedown.uploadId), work));
    const prefix = visibilityIntentId("");
    const uploadId = id.startsWith(prefix) ? id.slice(prefix.length) : replacedBy(id);
    if (uploadId === undefined) return this.#turns.take(id, work);
    const first = visibilityIntentId(uploadId);
    const others = [
      takedownIntentId(uploadId),
      ...(["delete", "thumbnail"] as const).map((kind) => `${kind}:${uploadId}`),
    ];
    const inAll = [first, ...others].reduceRight((inner, each) => () => this.#turns.take(each, inner), work);
    return inAll();
  }

  #findDue(id: string): StoredIntent | undefined {
    const stored = this.#intents.find(id);
    return stored !== undefined && stored.dueAt <= Date.now() ? stored : undefined;
  }

  /** Waits for a replay of the upload. Does nothing during an erasure, which removes the account's rows from every shard. */
  async #ifMoved(uploadId: string, work: (stores: AccountStores) => Promise<void>): Promise<void> {
    const { tables, openStores } = this.#options;
    const hasMoved = () => tables.ledger.exists && !tables.erasing && homeShard(uploadId) !== tables.ledger.shard;
    if (!hasMoved()) return;
    await this.#takeTurn(uploadIntentId(uploadId), async () => {
      if (hasMoved()) await work(openStores());
    });
  }

  get #intents() {
    return this.#options.tables.intents;
  }
}
