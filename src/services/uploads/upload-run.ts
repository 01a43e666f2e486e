import type { CompressionSession } from "../../processor/compression-session.ts";
import type { AccountContext } from "../context.ts";
import { count } from "../metrics/counts.ts";
import { OpenUploads } from "./open-uploads.ts";
import type { ClientBody } from "./receive/client-body.ts";
import { UploadMemory } from "./receive/upload-memory.ts";

/** One request's upload: what all of its steps share. */
export class UploadRun implements Disposable {
  readonly account: AccountContext;
  readonly body: ClientBody;
  readonly open: OpenUploads;
  readonly memory = new UploadMemory();
  #compression: CompressionSession | undefined;

  constructor(account: AccountContext, body: ClientBody) {
    this.account = account;
    this.body = body;
    this.open = new OpenUploads(account);
  }

  /** The request's one session with the Codec Worker, opened for its first image. */
  get compression(): CompressionSession {
    this.#compression ??= this.account.processor.openCompression((reason) =>
      count("media_images_kept_total", { reason }),
    );
    return this.#compression;
  }

  [Symbol.dispose](): void {
    this.#compression?.[Symbol.dispose]();
  }
}
