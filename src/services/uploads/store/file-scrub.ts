import { metadataModeOf } from "../../../domain/account-settings.ts";
import type { MediaType } from "../../../domain/media-types.ts";
import { ThreadShare } from "../../../isolate/yield-thread.ts";
import { beginScrub, type ScrubState, SLICE_MS, scrubPart } from "../../../media/metadata/scrubber.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";

/** Overwrites the metadata that an account does not keep in one file's parts, before they are stored (META-1). */
export class FileScrub {
  #state: ScrubState | undefined;

  private constructor(state: ScrubState | undefined) {
    this.#state = state;
  }

  /** Begins with the first part of the file. */
  static begin({ account: { settings }, options }: UploadRun, mimeType: MediaType): FileScrub {
    const mode = options.scrub ?? metadataModeOf(options.compress ? { ...settings, autoCompress: true } : settings);
    return new FileScrub(mode === "keep" ? undefined : beginScrub(mimeType, mode));
  }

  /** Continues a resumable upload. @param text the state that was stored with its last part */
  static resume(text: string | undefined): FileScrub {
    return new FileScrub(text === undefined ? undefined : (JSON.parse(text) as ScrubState));
  }

  /** Whether parts may change. */
  get isOn(): boolean {
    return this.#state !== undefined;
  }

  /** Whether any byte has changed. */
  get hasChanged(): boolean {
    return this.#state?.hasChanged ?? false;
  }

  /** The state after the last part, to be stored with it; undefined if the file stays as uploaded. */
  get text(): string | undefined {
    return this.#state && JSON.stringify(this.#state);
  }

  /** Changes the file's next part. */
  async scrub(part: HeldPart): Promise<void> {
    if (this.#state === undefined) return;
    const share = new ThreadShare();
    this.#state = await scrubPart(this.#state, [...part.pieces()], () => share.yieldIfDue(SLICE_MS));
  }
}
