import { createHash } from "node:crypto";
import { metadataModeOf } from "../../../domain/account-settings.ts";
import type { MediaType } from "../../../domain/media-types.ts";
import { ThreadShare } from "../../../isolate/yield-thread.ts";
import { beginScrub, type ScrubState, SLICE_MS, scrubPart } from "../../../media/metadata/scrubber.ts";
import engineModule from "../../../media/sha256/engine/sha256-engine.wasm";
import { Sha256Engine, StorableSha256 } from "../../../media/sha256/storable-sha256.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";

/** The SHA-256 of a file, in the columns of its row. */
export interface FileSha256 {
  /** The SHA-256 of the stored bytes, hexadecimal; null if it is unknown. */
  readonly sha256: string | null;
  /** The SHA-256 of the uploaded bytes; null if they are the stored bytes. */
  readonly uploadedSha256: string | null;
}

/** What `PartHashes` needs of a hash: `node:crypto`'s within one request, `StorableSha256` across requests. */
interface Hasher {
  update(bytes: Uint8Array): void;
  copy(): Hasher;
  hex(): string;
}

let engine: Sha256Engine | undefined;

/** The isolate's only engine, made for its first upload in pieces. */
function openEngine(): Sha256Engine {
  engine ??= new Sha256Engine(engineModule);
  return engine;
}

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

/** Hashes the parts of one file as they were uploaded, and as they are stored if they lose metadata. */
export class PartHashes<H extends Hasher = Hasher> {
  readonly #uploaded: H;
  /** Undefined while both are the same bytes. */
  #stored: H | undefined;

  private constructor(uploaded: H, stored?: H) {
    this.#uploaded = uploaded;
    this.#stored = stored;
  }

  /** For a file that arrives in one request. */
  static begin(): PartHashes {
    return new PartHashes(new NodeSha256());
  }

  /** For a file that arrives over many requests. @param text the state after its last part; undefined before the first */
  static resume(text?: string): PartHashes<StorableSha256> {
    const [uploaded, stored] = text === undefined ? [] : (JSON.parse(text) as [string, string?]);
    const hashOf = (state?: string) => new StorableSha256(openEngine(), state);
    return new PartHashes(hashOf(uploaded), stored === undefined ? undefined : hashOf(stored));
  }

  /** The state of resumable hashes. */
  static textOf(hashes: PartHashes<StorableSha256>): string {
    return JSON.stringify([hashes.#uploaded.text, ...(hashes.#stored === undefined ? [] : [hashes.#stored.text])]);
  }

  /** Removes the metadata of the file's next part (`FileScrub`), and hashes the part before and after that. */
  async scrub(scrub: FileScrub, part: HeldPart): Promise<void> {
    const before = scrub.isOn && this.#stored === undefined ? (this.#uploaded.copy() as H) : undefined;
    await update(this.#uploaded, part);
    await scrub.scrub(part);
    if (!scrub.hasChanged) return;
    this.#stored ??= before;
    if (this.#stored !== undefined) await update(this.#stored, part);
  }

  get uploaded(): string {
    return this.#uploaded.hex();
  }

  get sha256(): FileSha256 {
    return toFileSha256(this.uploaded, this.#stored?.hex() ?? this.uploaded);
  }
}

/** @param stored null if it is unknown */
export function toFileSha256(uploaded: string, stored: string | null): FileSha256 {
  return { sha256: stored, uploadedSha256: stored === uploaded ? null : uploaded };
}

/** The SHA-256 of a file that is held whole, hexadecimal. */
export async function sha256Of(part: HeldPart): Promise<string> {
  const hash = new NodeSha256();
  await update(hash, part);
  return hash.hex();
}

async function update(hasher: Hasher, part: HeldPart): Promise<void> {
  const share = new ThreadShare();
  for (const piece of part.pieces()) {
    hasher.update(piece);
    await share.yieldIfDue(SLICE_MS);
  }
}

class NodeSha256 implements Hasher {
  readonly #hash: ReturnType<typeof createHash>;

  constructor(hash = createHash("sha256")) {
    this.#hash = hash;
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  copy(): NodeSha256 {
    return new NodeSha256(this.#hash.copy());
  }

  hex(): string {
    return this.#hash.copy().digest("hex");
  }
}
