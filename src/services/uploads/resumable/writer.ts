import { ERRORS } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { Turns } from "../../../isolate/calls.ts";
import type { ReceivedPart, ResumableWrite } from "../../../meter/resumable/outcomes.ts";
import type { Resumable, ResumableFile } from "../../../meter/resumable/resumable.ts";
import type { AccountContext } from "../../context.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import type { UploadMemory } from "../receive/upload-memory.ts";
import { HELD_RETRY_AFTER_SECONDS, storageFull } from "./unfinished-uploads.ts";

/** The interval of renewals. The lease ends after three of them. */
const RENEW_EVERY_MS = 2000;
/**
 * The interval at which a slow client's bytes are stored before they are a part. At most the bytes of this time are lost if an isolate
 * ends.
 */
const SAVE_EVERY_MS = 5000;
const LEAST_SAVED_BYTES = 256 * 1024;
/** A call to the account's object is sent at this size. With one more block it fits into an account's third of the memory. */
const CALL_BYTES = 512 * 1024;

/** The work that a writer stops when it loses the upload. */
interface Writing {
  readonly body: { cancel(): Promise<void> };
  readonly memory: UploadMemory;
  /** The part that is being filled. */
  readonly part: () => HeldPart | undefined;
  /** Whether its request makes progress. */
  readonly isAlive: () => boolean;
}

/** A part in R2, and the file's states after it. */
type SentPart = Omit<ReceivedPart, "endsAt">;

/**
 * The only request that writes to an upload, and its position. It renews its lease, stops reading when another request
 * wants to write, and writes nothing after it lost the lease.
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
  #isReleased = false;

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

  /** Bytes of the upload that are stored. */
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

  /** Announces the file's facts after the first part. */
  async begin(file: ResumableFile): Promise<void> {
    this.#file = file;
    this.#note(await this.#account.meter.beginResumable(this.#upload.id, this.#writer, file));
  }

  /**
   * Sends a part to R2, and moves the upload's stored position after it.
   * @param send gets the number of the part
   * @throws ServiceError 413, 423; errors of `send`
   */
  async commit(part: HeldPart, send: (number: number) => Promise<SentPart>): Promise<void> {
    this.#isSending = true;
    const endsAt = this.#partStart + part.length;
    // Waits until a save of the same bytes has ended.
    const sent = await this.#turns.take("write", () => send(this.#nextPart));
    this.#note(await this.#account.meter.commitPart(this.#upload.id, this.#writer, { ...sent, endsAt }));
    this.#file = this.#file && { ...this.#file, ...sent.states };
    this.#nextPart += 1;
    this.#partStart = endsAt;
    this.#offset = endsAt;
    this.#isSending = false;
  }

  /**
   * Stores the request's last bytes, which are less than a part, and lets another request write.
   * @throws ServiceError 413, 423
   */
  async keep(part: HeldPart): Promise<void> {
    await this.#turns.take("write", () => this.#append(part, part.length, true));
  }

  /** Lets another request write. */
  async release(): Promise<void> {
    this[Symbol.dispose]();
    if (this.#isReleased) return;
    await this.#account.meter.releaseResumable(this.#upload.id, this.#writer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** The lease of a stuck request ends, so that another request can write. */
  async #renew(): Promise<void> {
    if (!this.#writing.isAlive()) return;
    this.#note(await this.#account.meter.renewResumable(this.#upload.id, this.#writer));
  }

  /** Never saves a whole upload: a complete upload is stored, not saved. */
  async #saveSome(): Promise<void> {
    await this.#turns.take("write", async () => {
      const part = this.#writing.part();
      if (part === undefined || this.#isSending) return;
      const length = this.isLast(part) ? part.length - 1 : part.length;
      if (this.#partStart + length - this.#offset >= LEAST_SAVED_BYTES) await this.#append(part, length);
    });
  }

  async #append(part: HeldPart, length: number, isLast = false): Promise<void> {
    let batch: Uint8Array[] = [];
    let bytes = 0;
    const flush = async (release: boolean) => {
      const { meter } = this.#account;
      using _ = await this.#writing.memory.openCall(bytes);
      this.#note(await meter.appendTail(this.#upload.id, this.#writer, this.#offset, batch, release));
      this.#isReleased = release;
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
      if (bytes >= CALL_BYTES) await flush(isLast && left <= 0);
    }
    if (bytes > 0) await flush(isLast);
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
    if (write.outcome === "token-used-up") throw ERRORS.UploadTokenUsedUp(write.limit);
    throw ERRORS.UploadLocked(HELD_RETRY_AFTER_SECONDS);
  }

  /** The request's own writes repeat every failure here. */
  #inBackground(work: Promise<void>): void {
    const logged = work.catch((error: unknown) => {
      console.error(toLogLine("resumable.not-kept", { uploadId: this.#upload.id }, error));
    });
    this.#account.waitUntil(logged);
  }
}
