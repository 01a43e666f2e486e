import { env, exports } from "cloudflare:workers";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import type { RequestedFile } from "../../src/cdn/object-path.ts";
import { serveFile } from "../../src/cdn/serve-file.ts";
import type { ViewReceipt } from "../../src/cdn/view-journal.ts";
import { fileKey, objectUrl, thumbnailKey } from "../../src/domain/object-key.ts";

/** The bindings of src/cdn/wrangler.toml: this project's tests run in that Worker. */
export const cdnEnv = env as unknown as CdnEnv;

export const ORIGIN = "https://cdn.example.com";
export const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x0ya";
export const UPLOAD_ID = "01hzy3v7k9q4r5s6t7v8w9x0yb";
export const THUMBNAIL_KEY = thumbnailKey(ACCOUNT_ID, UPLOAD_ID);

/** Bytes that tell where they stood: no two runs of the file are the same for long. */
export function patternBytes(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, position) => (position * 31 + (position >> 8) * 7) & 0xff);
}

/** Stores a file in R2 and tells its key, its URL and what R2 says of it. */
export async function storeFile(name: string, bytes: Uint8Array, contentType = "video/mp4") {
  return store(fileKey(ACCOUNT_ID, UPLOAD_ID, name), bytes, contentType);
}

export async function store(objectKey: string, bytes: Uint8Array, contentType?: string) {
  const object = await cdnEnv.FILES.put(objectKey, bytes, contentType ? { httpMetadata: { contentType } } : {});
  return { objectKey, url: objectUrl(ORIGIN, objectKey), etag: object.httpEtag, uploaded: object.uploaded };
}

/** A request through the Worker's own entry. */
export function fetchFile(url: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(url, init));
}

export async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

export interface Observed {
  readonly response: Response;
  readonly body: Uint8Array;
  /** R2 operations in their order. */
  readonly operations: readonly string[];
  /** The files that were viewed. */
  readonly views: readonly RequestedFile[];
}

/** Journals that do as a test says. */
export function journals(record: (view: JournaledView, name: string) => Promise<ViewReceipt>): CdnEnv["VIEW_JOURNAL"] {
  const getByName = (name: string) => ({
    record: (views: readonly JournaledView[]) => Promise.all(views.map((view) => record(view, name))),
  });
  return { getByName } as unknown as CdnEnv["VIEW_JOURNAL"];
}

/** Serves on the real R2 and notes what it was asked, and what was viewed. */
export async function observe(url: string, init?: RequestInit, replaced: Partial<CdnEnv> = {}): Promise<Observed> {
  const operations: string[] = [];
  const views: RequestedFile[] = [];
  const files = {
    get: (key: string, options?: R2GetOptions) => {
      operations.push("get");
      return cdnEnv.FILES.get(key, options);
    },
    head: (key: string) => {
      operations.push("head");
      return cdnEnv.FILES.head(key);
    },
  };
  const response = await serveFile(
    new Request(url, init),
    { ...cdnEnv, FILES: files as unknown as R2Bucket, ...replaced },
    (file) => views.push(file),
  );
  const body = await bytesOf(response);
  return { response, body, operations, views };
}

/** A file that is viewed, as its path was read. */
export const VIEWED_FILE = {
  kind: "file",
  accountId: ACCOUNT_ID,
  uploadId: UPLOAD_ID,
  objectKey: `uploads/${ACCOUNT_ID}/${UPLOAD_ID}-a.png`,
  query: "",
} as const;
