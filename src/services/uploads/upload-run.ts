import { deleteUploads } from "../../db/library/uploads.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { CompressionSession } from "../../processor/compression-session.ts";
import type { AccountContext } from "../context.ts";
import { count } from "../metrics/counts.ts";
import type { ClientBody } from "./receive/client-body.ts";
import { UploadMemory } from "./receive/upload-memory.ts";

/** The context that all steps of one request's upload share. */
export class UploadRun implements Disposable {
  readonly account: AccountContext;
  readonly body: ClientBody;
  readonly open: OpenUploads;
  readonly progress: Progress;
  readonly memory: UploadMemory;
  #compression: CompressionSession | undefined;

  /** @param memoryShare the fraction of the isolate's memory that the account may hold, if it is not the usual one */
  constructor(account: AccountContext, body: ClientBody, memoryShare?: number) {
    this.account = account;
    this.body = body;
    this.open = new OpenUploads(account);
    this.progress = new Progress(body, account.config.intentTimeoutSeconds, account.now);
    this.memory = new UploadMemory(account.accountId, memoryShare);
  }

  /** The request's only session with the Codec Worker, opened for its first image. */
  get compression(): CompressionSession {
    this.#compression ??= this.account.processor.openCompression((reason) =>
      count("media_images_kept_total", { reason }),
    );
    return this.#compression;
  }

  [Symbol.dispose](): void {
    this.#compression?.[Symbol.dispose]();
    this.memory.closeWindow();
  }
}

/** The number of an intent's timeouts after which a request without progress is stuck, for example because a store does not answer. */
const STUCK_TIMEOUTS = 3;
/** The longest time of a request: 100 MB at 1.2 KB a second. */
const LONGEST_MS = 24 * 60 * 60_000;

/** The progress of a request: received bytes and stored files. */
export class Progress {
  readonly #body: Pick<ClientBody, "receivedBytes">;
  readonly #stuckMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  #endedFiles = 0;
  #reached = "";
  #reachedAt = 0;

  constructor(body: Pick<ClientBody, "receivedBytes">, intentTimeoutSeconds: number, now: () => number) {
    this.#body = body;
    this.#stuckMs = STUCK_TIMEOUTS * intentTimeoutSeconds * 1000;
    this.#now = now;
    this.#startedAt = now();
  }

  /** A file is stored, or has failed. */
  fileEnded(): void {
    this.#endedFiles += 1;
  }

  /**
   * Whether the request makes no progress. Progress is measured between reads of this property, so it must be read
   * regularly.
   */
  get isStuck(): boolean {
    const reached = `${this.#body.receivedBytes} ${this.#endedFiles}`;
    if (reached !== this.#reached) {
      this.#reached = reached;
      this.#reachedAt = this.#now();
    }
    return this.#now() - this.#reachedAt >= this.#stuckMs;
  }

  get isTooLong(): boolean {
    return this.#now() - this.#startedAt >= LONGEST_MS;
  }

  /** Whether the account's alarm must still wait for the request. */
  get isAlive(): boolean {
    return !this.isStuck && !this.isTooLong;
  }
}

/** An upload as it is announced before R2 has anything of it. */
export interface AnnouncedUpload {
  readonly uploadId: string;
  /** The key of the stored file, and the key of its compressed form if that differs. */
  readonly objectKeys: readonly string[];
}

/** A request's announced but unsettled uploads, which are kept alive, settled or undone together. */
class OpenUploads {
  readonly #account: AccountContext;
  readonly #objectKeys = new Map<string, readonly string[]>();

  constructor(account: AccountContext) {
    this.#account = account;
  }

  get uploadIds(): string[] {
    return [...this.#objectKeys.keys()];
  }

  /** The upload is announced, and R2 may have objects of it. */
  began({ uploadId, objectKeys }: AnnouncedUpload): void {
    this.#objectKeys.set(uploadId, objectKeys);
  }

  /** R2 has nothing left of the upload, so its reservation is freed: the request's next file may need it. */
  async undone(uploadId: string): Promise<void> {
    this.#objectKeys.delete(uploadId);
    await this.#account.meter.release([uploadId]);
  }

  /** The upload could not be undone: its intent stays, and the account's alarm undoes it later. */
  abandoned(uploadId: string): void {
    this.#objectKeys.delete(uploadId);
  }

  /** Removes one upload's objects and its reservation. */
  async undo(uploadId: string): Promise<void> {
    await this.#account.files.delete([...(this.#objectKeys.get(uploadId) ?? [])]);
    await this.undone(uploadId);
  }

  /** Hands over all uploads after their rows and objects are complete. */
  takeAll(): AnnouncedUpload[] {
    const all = this.#all;
    this.#objectKeys.clear();
    return all;
  }

  /** Removes all uploads. The account's alarm later repeats failed removals. */
  async rollBack(): Promise<void> {
    if (this.#objectKeys.size === 0) return;
    await this.#giveUp();
    await removeUploads(this.#account, this.#all).catch((error: unknown) => logNotUndone(this.#account, error));
  }

  /** If the meter is down, no replay of the upload is in progress either, and it will not find the removed objects. */
  async #giveUp(): Promise<void> {
    const { accountId, meter } = this.#account;
    await meter
      .giveUp(this.#all)
      .catch((error: unknown) => console.error(toLogLine("upload.not-given-up", { accountId }, error)));
  }

  get #all(): AnnouncedUpload[] {
    return [...this.#objectKeys].map(([uploadId, objectKeys]) => ({ uploadId, objectKeys }));
  }
}

/**
 * Removes uploads' rows and objects, then the meter's records of them.
 * @throws Error if a store fails: the account's alarm continues
 */
export async function removeUploads(account: AccountContext, uploads: readonly AnnouncedUpload[]): Promise<void> {
  const { library, files, meter, accountId } = account;
  const ids = uploads.map(({ uploadId }) => uploadId);
  await deleteUploads(library, accountId, ids);
  await files.delete(uploads.flatMap(({ objectKeys }) => [...objectKeys]));
  await meter.release(ids);
}

export function logNotUndone({ accountId }: AccountContext, error: unknown): void {
  console.error(toLogLine("upload.not-undone", { accountId }, error));
}
