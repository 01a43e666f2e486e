import { toLogLine } from "../../domain/log-line.ts";
import type { Shard } from "../../domain/shard.ts";
import type { Deletion, MoveProgress, ThumbnailReservation, Unfinished } from "../answers.ts";
import { accountFigures, exhausted } from "../figures.ts";
import { type DeleteIntent, intentId, uploadIntentId } from "../intent.ts";
import type { ThumbnailSettlement } from "../intent-completion.ts";
import { MOVE_ID } from "../library-mover.ts";
import { ResumableMethods } from "./resumable-methods.ts";

/** Each waits for D1 and R2, and the platform lets six connections of an invocation wait for their answers. */
const DELETIONS_AT_ONCE = 6;

type DeletedUpload = Omit<DeleteIntent, "kind">;

/** What is stored already: deletions, thumbnails, and where the library is. */
export abstract class LibraryMethods extends ResumableMethods {
  /** Deletes an upload for good: row, file and thumbnail; frees its storage and counts the operation, exactly once. */
  async deleteUpload(upload: DeletedUpload): Promise<Deletion> {
    const now = Date.now();
    if (!(await this.load()) || this.books.erasing) return { outcome: "refused" };
    if (this.books.intents.find(uploadIntentId(upload.uploadId)) !== undefined) {
      // Its row is there, so it counts as stored before it goes.
      const { missing } = await this.settleUploads([upload]);
      if (missing.length > 0) return { outcome: "gone", figures: accountFigures(this.books.ledger, now) };
    }
    const intent: DeleteIntent = { kind: "delete", ...upload };
    if (!this.books.mayBegin(now, intentId(intent))) {
      // The same call, made again: what it has deleted may have been the month's last operation.
      return this.books.isDeleted(upload.uploadId)
        ? { outcome: "gone", figures: accountFigures(this.books.ledger, now) }
        : exhausted(this.books.ledger, now);
    }
    const settled = await this.runner.change(intent);
    return { outcome: settled ? "deleted" : "gone", figures: accountFigures(this.books.ledger, Date.now()) };
  }

  /**
   * The same with some uploads, a few at once, each by an intent of its own.
   * @returns what became of each, in their order; `unfinished` where a store failed: the alarm goes on
   */
  async deleteUploads(uploads: readonly DeletedUpload[]): Promise<(Deletion | Unfinished)[]> {
    const answers: (Deletion | Unfinished)[] = [];
    const entries = uploads.entries();
    const work = async () => {
      for (const [at, upload] of entries) {
        answers[at] = await this.deleteUpload(upload).catch((error: unknown) => {
          console.error(toLogLine("upload.deleted-later", { uploadId: upload.uploadId }, error));
          return { outcome: "unfinished" } as const;
        });
      }
    };
    await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, work));
    if (!this.books.ledger.exists) return answers;
    // All of them tell how the account stands in the end: the last one of the list may have ended before others.
    const figures = accountFigures(this.books.ledger, Date.now());
    return answers.map((answer) => ("figures" in answer ? { ...answer, figures } : answer));
  }

  /**
   * Goes on with deleting a folder, for a bounded number of steps; the alarm goes on where nobody else does.
   * @returns whether it is gone
   */
  async deleteFolder(folderId: string): Promise<boolean> {
    if (!(await this.load()) || this.books.erasing) return true;
    const intent = { kind: "delete-folder", folderId } as const;
    await this.runner.change(intent);
    return this.books.intents.find(intentId(intent)) === undefined;
  }

  /** Announces a video's thumbnail and sets storage aside for it. */
  async reserveThumbnail(uploadId: string, sizeBytes: number): Promise<ThumbnailReservation> {
    if (!(await this.load()) || this.books.isDeleted(uploadId)) return "gone";
    if (this.books.intents.find(uploadIntentId(uploadId)) !== undefined) return "unsettled";
    if (this.books.thumbnails.has(uploadId)) return "counted";
    const intent = { kind: "thumbnail", uploadId } as const;
    if (this.books.ledger.storageLimitBytes - this.books.ledger.storageBytes < sizeBytes) return "storage-full";
    // What an earlier attempt has set aside passes to this one.
    const heldBytes = this.books.intents.find(intentId(intent))?.reservedBytes ?? 0;
    if (this.books.freeBytes + heldBytes < sizeBytes) return "storage-reserved";
    this.books.intents.put(intent, sizeBytes, Date.now() + this.timeoutMs());
    await this.runner.scheduleAlarm();
    return "reserved";
  }

  /**
   * Counts a thumbnail as R2 holds it, once however often it is said, and has the catalogue say the same. The last of
   * several makers has the last word: whoever puts an object says so afterwards, or its intent or its message does.
   */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    if (!(await this.load())) return "gone";
    return this.runner.settleThumbnail(uploadId);
  }

  /** Where the account's library is; undefined where the account is no more. */
  async locate(): Promise<Shard | undefined> {
    return (await this.load()) && !this.books.erasing ? this.books.ledger.shard : undefined;
  }

  /** Goes on with moving the library to another shard, for a bounded time; the alarm goes on where nobody else does. */
  async moveLibrary(to: Shard): Promise<MoveProgress> {
    if (!(await this.load()) || this.books.erasing) return { outcome: "refused" };
    const known = this.mover.begin(to);
    if (known !== undefined) return known;
    await this.runner.goOn(MOVE_ID);
    return this.mover.progress(to);
  }
}
