import sharp from "sharp";
import { expect } from "vitest";
import type { Stack } from "../stack/stack.ts";
import type { UploadResult } from "../uploads/upload-result.ts";

const THUMBNAIL_TIMEOUT_MS = 20_000;
const POLL_MS = 100;
/** Listings are polled at longer intervals, because they count as requests of the account. */
const SLOW_POLL_MS = 400;

/** The fields of a media object (MED-1) that concern thumbnails. */
export interface MediaObject {
  readonly _id: string;
  readonly thumbnailUrl: string | null;
  readonly size: { readonly width: number; readonly height: number };
}

export interface Usage {
  readonly storageBytes: number;
  readonly operations: number;
}

/** The Pro demo account of a running stack, used over HTTP. */
export class VideoAccount {
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  private constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#headers = { Authorization: `Bearer ${apiKey}` };
  }

  static async of(stack: Stack): Promise<VideoAccount> {
    return new VideoAccount(stack.baseUrl, (await stack.demoAccounts()).pro.apiKey);
  }

  async tryUpload(name: string, video: Uint8Array, type = ""): Promise<Response> {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(video)], { type }), name);
    return this.#call("/images/upload", { method: "POST", body });
  }

  async upload(name: string, video: Uint8Array): Promise<UploadResult & { readonly thumbnailUrl: string }> {
    const answer = await this.tryUpload(name, video);
    const text = await answer.text();
    expect(answer.status, text).toBe(201);
    const result = JSON.parse(text);
    expect(result.thumbnailUrl).toBe(
      result.url.replace(`${result._id}-${result.originalFilename}`, `thumbs/${result._id}-thumb.jpg`),
    );
    return result;
  }

  /** The thumbnail, as soon as it exists. The wait for it counts no view, fetching it counts one. */
  async thumbnailOf({ thumbnailUrl }: { readonly thumbnailUrl: string }): Promise<Response> {
    await until(POLL_MS, async () => (await fetch(thumbnailUrl, { method: "HEAD" })).status, 200);
    return fetch(thumbnailUrl);
  }

  async find({ _id }: { readonly _id: string }): Promise<MediaObject> {
    const { images } = (await (await this.#call("/images?limit=100")).json()) as { images: MediaObject[] };
    const found = images.find((image) => image._id === _id);
    if (found === undefined) throw new Error(`${_id} is not listed`);
    return found;
  }

  /** Waits until listings show that there will never be a thumbnail. */
  async untilFailed(upload: { readonly _id: string }): Promise<void> {
    await until(SLOW_POLL_MS, async () => (await this.find(upload)).thumbnailUrl, null);
  }

  async delete({ _id }: { readonly _id: string }): Promise<void> {
    expect((await this.#call(`/images/${_id}`, { method: "DELETE" })).status).toBe(200);
  }

  /** The usage in the headers of every answer. */
  async usage(): Promise<Usage> {
    const { headers } = await this.#call("/images?limit=1");
    return {
      storageBytes: Number(headers.get("X-Storage-Used")),
      operations: Number(headers.get("X-Operations-Used")),
    };
  }

  /** Waits until the account stores this much, to the byte. */
  async untilStored(storageBytes: number): Promise<void> {
    await until(SLOW_POLL_MS, async () => (await this.usage()).storageBytes, storageBytes);
  }

  #call(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#baseUrl + path, { ...init, headers: this.#headers });
  }
}

/** Does the same as `expect.poll`, which concurrent tests do not have. */
async function until<T>(pollMs: number, read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + THUMBNAIL_TIMEOUT_MS;
  for (;;) {
    const found = await read();
    if (found === expected) return;
    if (performance.now() > deadline) expect(found).toBe(expected);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Expects a JPEG without metadata about its origin. */
export async function readThumbnail(answer: Response): Promise<{ jpeg: Buffer; width: number; height: number }> {
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("image/jpeg");
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=7776000");
  const jpeg = Buffer.from(await answer.arrayBuffer());
  const { format, width, height, exif, icc, xmp, iptc, comments } = await sharp(jpeg).metadata();
  expect({ format, exif, icc, xmp, iptc, comments }).toEqual({ format: "jpeg" });
  return { jpeg, width, height };
}
