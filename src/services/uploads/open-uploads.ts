import { deleteUploads } from "../../db/library/uploads.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { AccountContext } from "../context.ts";

export interface AnnouncedUpload {
  readonly uploadId: string;
  /** Everything that may be in R2 of it. */
  readonly objectKeys: readonly string[];
}

/** A request's uploads that are announced to the meter and not settled yet, so that they can be kept alive and undone. */
export class OpenUploads {
  readonly #account: AccountContext;
  readonly #objectKeys = new Map<string, readonly string[]>();

  constructor(account: AccountContext) {
    this.#account = account;
  }

  get uploadIds(): string[] {
    return [...this.#objectKeys.keys()];
  }

  /** From here on the upload is announced, and something of it may be in R2. */
  began({ uploadId, objectKeys }: AnnouncedUpload): void {
    this.#objectKeys.set(uploadId, objectKeys);
  }

  /** Nothing of it is left in R2: its reservation is freed, as it may be what the request's next file needs. */
  async undone(uploadId: string): Promise<void> {
    this.#objectKeys.delete(uploadId);
    await this.#account.meter.release([uploadId]);
  }

  /** It could not be undone: its intent stays, and the account's alarm undoes it later. */
  abandoned(uploadId: string): void {
    this.#objectKeys.delete(uploadId);
  }

  /** Removes one upload's objects and its reservation. */
  async undo(uploadId: string): Promise<void> {
    await this.#account.files.delete([...(this.#objectKeys.get(uploadId) ?? [])]);
    await this.undone(uploadId);
  }

  /** Hands over all of them: from here on their rows and objects are complete. */
  takeAll(): AnnouncedUpload[] {
    const all = this.#all;
    this.#objectKeys.clear();
    return all;
  }

  /** Removes what is left of all of them. What fails of that the account's alarm does later. */
  async rollBack(): Promise<void> {
    if (this.#objectKeys.size === 0) return;
    await this.#giveUp();
    await removeUploads(this.#account, this.#all).catch((error: unknown) => logNotUndone(this.#account, error));
  }

  /** Where the meter is away, no replay of its own is under way either, and what is removed here it will not find. */
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
 * Removes all that may be there of uploads, and then what the meter has of them.
 * @throws Error where a store fails: the account's alarm goes on
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
