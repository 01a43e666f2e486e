import { env, exports } from "cloudflare:workers";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import type { RequestedFile } from "../../src/cdn/object-path.ts";
import { serveFile } from "../../src/cdn/serve-file.ts";
import type { ViewReceipt } from "../../src/cdn/view-journal.ts";
import { addToIndex, type FileRules, fileRulesKey, RULES_INDEX_KEY } from "../../src/domain/file-rules.ts";
import { deriveServiceKey, signFile } from "../../src/domain/file-signature.ts";
import { newId } from "../../src/domain/ids.ts";
import {
  fileKey,
  keyAs,
  objectUrl,
  parseObjectKey,
  thumbnailKey,
  visibleVariantsPrefix,
} from "../../src/domain/object-key.ts";
import { VISIBILITIES, type Visibility } from "../../src/domain/visibility.ts";

/** The bindings of src/cdn/wrangler.toml: this project's tests run in that Worker. */
export const cdnEnv = env as unknown as CdnEnv;

export const ORIGIN = "https://cdn.example.com";
export const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x0ya";
export const UPLOAD_ID = "01hzy3v7k9q4r5s6t7v8w9x0yb";
export const THUMBNAIL_KEY = thumbnailKey(ACCOUNT_ID, UPLOAD_ID);

/** Bytes that identify their position: no two long runs of the file are the same. */
export function patternBytes(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, position) => (position * 31 + (position >> 8) * 7) & 0xff);
}

/** Stores a file in R2 and returns its key, its URL and R2's metadata. */
export async function storeFile(
  name: string,
  bytes: Uint8Array,
  contentType = "video/mp4",
  visibility: Visibility = "public",
) {
  return store(fileKey(ACCOUNT_ID, UPLOAD_ID, name), bytes, contentType, visibility);
}

/** Stores an object. The URL of a private file is signed for an hour. */
export async function store(
  objectKey: string,
  bytes: Uint8Array,
  contentType?: string,
  visibility: Visibility = "public",
) {
  const options = contentType ? { httpMetadata: { contentType } } : {};
  const object = await cdnEnv.FILES.put(keyAs(objectKey, visibility), bytes, options);
  const plain = objectUrl(ORIGIN, objectKey);
  const url = visibility === "public" ? plain : `${plain}?${await signedQuery(objectKey)}`;
  return { objectKey, url, etag: object.httpEtag, uploaded: object.uploaded };
}

/** Files, and a variant of each, which are served alike (VAR-3). */
export const SERVED = VISIBILITIES.flatMap((visibility) => [
  { title: `${visibility} file`, visibility, isVariant: false },
  { title: `variant of a ${visibility} file`, visibility, isVariant: true },
]);

/** Stores bytes as a file or as the variant of one. `missing` is the URL of a file, or the variant of a file, that is not stored. */
export async function storeServed(
  { visibility, isVariant }: (typeof SERVED)[number],
  name: string,
  bytes: Uint8Array,
  contentType: string,
) {
  const uploadId = newId(Date.now());
  const urlOf = async (objectKey: string) => {
    const query = [
      ...(visibility === "private" ? [await signedQuery(objectKey)] : []),
      ...(isVariant ? ["w=64"] : []),
    ].join("&");
    return objectUrl(ORIGIN, objectKey) + (query === "" ? "" : `?${query}`);
  };
  const objectKey = fileKey(ACCOUNT_ID, uploadId, name);
  const variantKey = `${visibleVariantsPrefix(ACCOUNT_ID, uploadId, visibility)}w64-q75.jpg`;
  const options = { httpMetadata: { contentType } };
  // A variant's file has other bytes, so that it cannot answer in the variant's place.
  if (isVariant) await cdnEnv.FILES.put(keyAs(objectKey, visibility), bytes.slice(1), options);
  const object = await cdnEnv.FILES.put(isVariant ? variantKey : keyAs(objectKey, visibility), bytes, options);
  const missing = await urlOf(fileKey(ACCOUNT_ID, newId(Date.now()), name));
  return { url: await urlOf(objectKey), missing, etag: object.httpEtag };
}

/** The service's signature of a file. */
export async function signedQuery(objectKey: string, expires = Math.floor(Date.now() / 1000) + 3600): Promise<string> {
  const { accountId, uploadId } = parseObjectKey(objectKey) ?? { accountId: "", uploadId: "" };
  return signFile(await deriveServiceKey(cdnEnv.URL_SIGNING_SECRET, accountId), { accountId, uploadId, expires });
}

/** Writes rules for the files of an account. Test files share R2, so each that writes rules has an account of its own. */
export async function setRules(accountId: string, rules: FileRules): Promise<void> {
  const index = await cdnEnv.FILES.get(RULES_INDEX_KEY);
  const bits = index === null ? new Uint8Array(0) : new Uint8Array(await index.arrayBuffer());
  await cdnEnv.FILES.put(RULES_INDEX_KEY, addToIndex(bits, accountId));
  await cdnEnv.FILES.put(fileRulesKey(accountId), JSON.stringify({ ...rules, changedAt: 1 }));
}

export function fetchFile(url: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(url, init));
}

export async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

export interface Observed {
  readonly response: Response;
  readonly body: Uint8Array;
  readonly operations: readonly string[];
  readonly views: readonly (RequestedFile & { readonly bytes: number })[];
}

/** Journals whose answers the test decides. */
export function journals(record: (view: JournaledView, name: string) => Promise<ViewReceipt>): CdnEnv["VIEW_JOURNAL"] {
  const getByName = (name: string) => ({
    record: (views: readonly JournaledView[]) => Promise.all(views.map((view) => record(view, name))),
  });
  return { getByName } as unknown as CdnEnv["VIEW_JOURNAL"];
}

/** Serves from the real R2 and notes the operations on it and the views. */
export async function observe(url: string, init?: RequestInit, replaced: Partial<CdnEnv> = {}): Promise<Observed> {
  const operations: string[] = [];
  const views: (RequestedFile & { bytes: number })[] = [];
  const files = {
    get: (key: string, options?: R2GetOptions) => {
      // Each of these requests has its own isolate. In production, the isolates of a data centre read the rules once a minute.
      if (!key.startsWith("rules/")) operations.push("get");
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
    (file, bytes) => views.push({ ...file, bytes }),
  );
  const body = await bytesOf(response);
  return { response, body, operations, views };
}

export const VIEWED_FILE = {
  kind: "file",
  accountId: ACCOUNT_ID,
  uploadId: UPLOAD_ID,
  version: UPLOAD_ID,
  objectKey: `uploads/${ACCOUNT_ID}/${UPLOAD_ID}-a.png`,
  query: "",
} as const;
