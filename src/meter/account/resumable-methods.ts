import { exhausted } from "../figures.ts";
import type { Resumable, ResumableFile } from "../resumable.ts";
import type {
  Finish,
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCompletion,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  UnfinishedUpload,
} from "../resumable-answers.ts";
import { UploadMethods } from "./upload-methods.ts";

/** Uploads that come in pieces, over many requests (`Resumables`). */
export abstract class ResumableMethods extends UploadMethods {
  /** Announces an upload that will come in pieces (`Resumables`). */
  async createResumable(upload: NewResumable): Promise<ResumableCreation> {
    if (!(await this.load()) || this.books.erasing) return { outcome: "refused" };
    const now = Date.now();
    if (!this.books.mayBegin(now)) return exhausted(this.books.ledger, now);
    const created = this.resumables.create(upload);
    await this.runner.scheduleAlarm();
    return created;
  }

  /** Lets a request write to such an upload once no other does; waits for a few seconds at most. */
  async openResumable(uploadId: string, claim: ResumableClaim): Promise<ResumableOpening> {
    if (!(await this.load()) || this.books.erasing) return { outcome: "unknown" };
    return this.resumables.open(uploadId, claim);
  }

  async beginResumable(uploadId: string, writer: string, file: ResumableFile): Promise<ResumableWrite> {
    return this.resumables.begin(uploadId, writer, file);
  }

  async commitPart(uploadId: string, writer: string, received: ReceivedPart, release = false): Promise<ResumableWrite> {
    return this.resumables.commitPart(uploadId, writer, received, release);
  }

  /** @param start where the bytes begin in the upload */
  async appendTail(
    uploadId: string,
    writer: string,
    start: number,
    pieces: readonly Uint8Array[],
    release = false,
  ): Promise<ResumableWrite> {
    return this.resumables.appendTail(uploadId, writer, start, pieces, release);
  }

  /** @returns pieces of about so many bytes in all; none at the tail's end */
  async readTail(uploadId: string, start: number, bytes: number): Promise<Uint8Array[]> {
    return this.resumables.readTail(uploadId, start, bytes);
  }

  async renewResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.resumables.renew(uploadId, writer);
  }

  async releaseResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.resumables.release(uploadId, writer);
  }

  /** All bytes of such an upload are there: from here on it is finished, never undone. */
  async completeResumable(uploadId: string, writer: string, finish: Finish): Promise<ResumableCompletion> {
    if (!(await this.load()) || this.books.erasing) return { outcome: "lost" };
    const completion = await this.resumables.ends.complete(uploadId, writer, finish);
    await this.runner.scheduleAlarm();
    return completion;
  }

  /** Without disturbing whoever writes to it. */
  async findResumable(uploadId: string): Promise<Resumable | undefined> {
    return (await this.load()) && !this.books.erasing ? this.resumables.find(uploadId) : undefined;
  }

  /** At most 100, newest first. */
  async listResumables(): Promise<UnfinishedUpload[]> {
    return (await this.load()) ? this.resumables.list() : [];
  }

  /** Drops such an upload, unless it is finished already. */
  async removeResumable(uploadId: string): Promise<"removed" | "unknown" | "held"> {
    if (!(await this.load())) return "unknown";
    try {
      return await this.resumables.remove(uploadId);
    } finally {
      await this.runner.scheduleAlarm();
    }
  }

  /** The same by its writer. */
  async discardResumable(uploadId: string, writer: string): Promise<void> {
    await this.resumables.ends.discard(uploadId, writer);
    await this.runner.scheduleAlarm();
  }
}
