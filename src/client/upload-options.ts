import type { CallOptions } from "./connection.ts";
import type { UploadStream } from "./open-stream.ts";

export interface UploadProgress {
  readonly sentBytes: number;
  /** `Infinity` until a stream has ended. */
  readonly totalBytes: number;
}

/** A file of React Native, which reads the bytes itself. */
export interface NativeFile {
  readonly uri: string;
  readonly name: string;
  readonly type: string;
}

/**
 * A `File`; or a `Blob`, bytes (also a `Buffer`) or a stream, with a name in the options. For files on the disk Node has `openFile` in
 * `./node`.
 */
export type UploadSource = Blob | NativeFile | ArrayBuffer | ArrayBufferView | UploadStream;

export interface UploadOptions extends CallOptions {
  /** A folder's id; Root by default. */
  readonly folderId?: string | null;
  readonly tags?: readonly string[];
  /** Your own id of the file, unique in the account. */
  readonly externalId?: string;
  /** A description for people who do not see the picture. */
  readonly alt?: string;
  /** Your own facts, at most 2 KB of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Seconds until the file is deleted. */
  readonly expiresIn?: number;
  /** The time at which the file is deleted (ISO 8601), instead of `expiresIn`. */
  readonly expiresAt?: string;
  /** `private`: only signed URLs open the file. */
  readonly visibility?: "public" | "private";
  /** Whether the service answers a stored file that has the same bytes, and stores no second one. */
  readonly dedupe?: boolean;
  /** Whether an image is compressed, in place of the account's setting. */
  readonly compress?: boolean;
  /** Replaces the file's own name. A source without a name is `untitled`, with the extension of a `Blob`'s type. */
  readonly name?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** A store, such as `localStorage`, that remembers how to continue a large `File`: the same call resumes it after a reload. */
  readonly storage?: UploadStorage;
  /** Identifies the upload if the caller repeats it; at most 128 characters, such as a UUID. */
  readonly idempotencyKey?: string;
  /** Files of at least this size are sent in pieces; 20 MiB by default. */
  readonly resumableFromBytes?: number;
}

/** A store of strings, such as `localStorage`. */
export interface UploadStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** The new bytes of an upload have its facts. */
export type ReplaceOptions = Pick<UploadOptions, "name" | "compress" | "onProgress" | "signal">;

const FIELDS = ["folderId", "externalId", "alt", "expiresIn", "expiresAt", "visibility", "dedupe", "compress"] as const;

/** The fields of an upload as texts. Empty ones are not sent. */
export function fieldsOf(options: UploadOptions): [name: string, value: string][] {
  const all = [
    ...FIELDS.map((name) => [name, options[name]]),
    ["tags", options.tags?.join()],
    ["metadata", options.metadata && JSON.stringify(options.metadata)],
  ];
  // Forms and base64 take a number or a truth value as its text.
  return all.filter(([, value]) => (value ?? "") !== "") as [string, string][];
}
