import { ERRORS } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { Turns } from "../../../isolate/turns.ts";
import type { Resumable, ResumableFile } from "../../../meter/resumable.ts";
import type { ResumableWrite } from "../../../meter/resumable-answers.ts";
import type { AccountContext } from "../../context.ts";
import type { HeldPart } from "../receive/held-part.ts";
import { storageFull } from "./storage-full.ts";

/** The lease ends after three of these. */
const RENEW_EVERY_MS = 2000;
/** So often a slow client's bytes are kept before they are a part: so much is lost where an isolate dies. */
const SAVE_EVERY_MS = 5000;
const LEAST_SAVED_BYTES = 256 * 1024;
/** What one call to the account's object carries. */
const CALL_BYTES = 2 * 1024 * 1024;
/** For whoever finds another request writing. */
export const HELD_RETRY_AFTER_SECONDS = 1;

/** What a writer has to end when it is to let go. */
interface Writing {
  readonly body: { cancel(): Promise<void> };
  /** The part that is being filled. */
  readonly part: () => HeldPart | undefined;
}

/**
 * The one request that writes to an upload, and how far it is. It shows that it is there, stops reading where another one wants to
 * write, and writes nothing more where another one does.
 */
export class ResumableWriter implements Disposable {
  readonly #account: AccountContext;
  readonly #writer: string;
  readonly #upload: Resumable;
  readonly #writing: Writing;
  readonly #turns = new Turns();
  readonly #timers: ReturnType<typeof setInterval>[];
  #offset: number;
  #partStart: number;
  #nextPart: number;
  #file: ResumableFile | null;
  #isWanted = false;
  #isSending = false;

  /** @param writer the name under which the upload was opened */
  constructor(account: AccountContext, upload: Resumable, writer: string, writing: Writing) {
    this.#account = account;
    this.#upload = upload;
    this.#writer = writer;
    this.#writing = writing;
    this.#offset = upload.offset;
    this.#partStart = upload.tailStart;
    this.#nextPart = upload.nextPart;
    this.#file = upload.file;
    this.#timers = [
      setInterval(() => this.#inBackground(this.#renew()), RENEW_EVERY_MS),
      setInterval(() => this.#inBackground(this.#saveSome()), SAVE_EVERY_MS),
    ];
  }

  get writer(): string {
    return this.#writer;
  }

  /** So many bytes of the upload are kept. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether another request waits for this one to stop. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get file(): ResumableFile | null {
    return this.#file;
  }

  /** Whether the upload ends with this part. */
  isLast(part: HeldPart): boolean {
    return this.#partStart + part.length === this.#upload.length;
  }

  /** Announces what the first part has shown. */
  async begin(file: ResumableFile): Promise<void> {
    this.#file = file;
    this.#note(await this.#account.meter.beginResumable(this.#upload.id, this.#writer, file));
  }

  /**
   * Has a part sent, and what is kept of the upload go on behind it.
   * @param send is given the number of the part
   * @throws ServiceError 413, 423; what `send` throws
   */
  async commit(part: HeldPart, send: (number: number) => Promise<R2UploadedPart>): Promise<void> {
    this.#isSending = true;
    const endsAt = this.#partStart + part.length;
    // Behind what is being kept of it.
    const sent = await this.#turns.take("write", () => send(this.#nextPart));
    this.#note(await this.#account.meter.commitPart(this.#upload.id, this.#writer, { part: sent, endsAt }));
    this.#nextPart += 1;
    this.#partStart = endsAt;
    this.#offset = endsAt;
    this.#isSending = false;
  }

  /**
   * Keeps bytes that are less than a part, and lets go of the upload.
   * @throws ServiceError 413, 423
   */
  async keep(part: HeldPart): Promise<void> {
    await this.#turns.take("write", () => this.#append(part, part.length));
  }

  /** Another request may write. */
  async release(): Promise<void> {
    this[Symbol.dispose]();
    await this.#account.meter.releaseResumable(this.#upload.id, this.#writer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #renew(): Promise<void> {
    this.#note(await this.#account.meter.renewResumable(this.#upload.id, this.#writer));
  }

  /** Never all of an upload: what is whole is not kept here but stored. */
  async #saveSome(): Promise<void> {
    await this.#turns.take("write", async () => {
      const part = this.#writing.part();
      if (part === undefined || this.#isSending) return;
      const length = this.isLast(part) ? part.length - 1 : part.length;
      if (this.#partStart + length - this.#offset >= LEAST_SAVED_BYTES) await this.#append(part, length);
    });
  }

  async #append(part: HeldPart, length: number): Promise<void> {
    let batch: Uint8Array[] = [];
    let bytes = 0;
    const flush = async () => {
      const { meter } = this.#account;
      this.#note(await meter.appendTail(this.#upload.id, this.#writer, this.#offset, batch));
      this.#offset += bytes;
      batch = [];
      bytes = 0;
    };
    let left = length - (this.#offset - this.#partStart);
    for (const piece of part.pieces(this.#offset - this.#partStart)) {
      const kept = piece.subarray(0, left);
      left -= kept.length;
      if (kept.length > 0) batch.push(kept);
      bytes += kept.length;
      if (bytes >= CALL_BYTES) await flush();
    }
    if (bytes > 0) await flush();
  }

  /** @throws ServiceError 413, 423 */
  #note(write: ResumableWrite): void {
    if (write.outcome === "written") return;
    if (write.outcome === "wanted") {
      this.#isWanted = true;
      this.#account.waitUntil(this.#writing.body.cancel());
      return;
    }
    this.#account.waitUntil(this.#writing.body.cancel());
    if (write.outcome === "storage-full") throw storageFull(this.#account, write);
    throw ERRORS.UploadHeld(HELD_RETRY_AFTER_SECONDS);
  }

  /** Whatever fails here fails again where the request itself writes. */
  #inBackground(work: Promise<void>): void {
    const logged = work.catch((error: unknown) => {
      console.error(toLogLine("resumable.not-kept", { uploadId: this.#upload.id }, error));
    });
    this.#account.waitUntil(logged);
  }
}
