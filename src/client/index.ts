import { createCalls } from "./calls.ts";
import { type CallOptions, type ClientOptions, Connection } from "./connection.ts";
import { toListing } from "./listing.ts";
import { readLines } from "./read-lines.ts";
import { sendByXhr } from "./send-by-xhr.ts";
import { sendForm } from "./send-form.ts";
import { discard } from "./send-resumable.ts";
import type { SignOptions } from "./sign.ts";
import type {
  Alert,
  ExportLine,
  Folder,
  ImageFilter,
  ImagePage,
  Key,
  LogEntry,
  LogFilter,
  LogPage,
  MediaObject,
  TagCount,
  TagFilter,
  UnfinishedUpload,
} from "./types.ts";
import { type UploadAllOptions, upload, uploadAll } from "./upload.ts";
import type { NativeFile, ReplaceOptions, UploadOptions, UploadSource } from "./upload-options.ts";
import { type UploadTogetherOptions, uploadTogether } from "./upload-together.ts";

export type { DeleteOptions } from "./calls.ts";
export type { CallOptions, ClientOptions } from "./connection.ts";
export type { Listing, ListPage } from "./listing.ts";
export { MediaHostError } from "./media-host-error.ts";
export type { UploadStream } from "./open-stream.ts";
export type { SignOptions } from "./sign.ts";
export type * from "./types.ts";
export type { UploadAllOptions, UploadOutcome } from "./upload.ts";
export type {
  NativeFile,
  ReplaceOptions,
  UploadOptions,
  UploadProgress,
  UploadSource,
  UploadStorage,
} from "./upload-options.ts";
export type { UploadTogetherOptions } from "./upload-together.ts";

/** The largest page. */
const PAGE_ITEMS = 100;

/** A client of one service with one credential: `createClient`. */
export type Client = ReturnType<typeof createClient>;

/**
 * A client of the media host for browsers, Node and Workers. It retries calls that may succeed later and waits as long as the service asks.
 * Calls throw a `MediaHostError`, or the reason of the option `signal`.
 */
export function createClient(clientOptions: ClientOptions) {
  const connection = new Connection(clientOptions, sendByXhr);
  const calls = createCalls(connection);
  const walk =
    <Item>(path: string) =>
    (options?: CallOptions) =>
      toListing<Item>(connection, path, options);

  return {
    ...calls,
    /** Sends the requests, for the other modules of this package. */
    connection,
    /** Uploads a file, bytes or a stream. A large file is sent in pieces, which resume after a broken connection. */
    upload: (file: UploadSource, options?: UploadOptions) => upload(connection, file, options),
    /** Uploads files, a few at a time, each in its own request. Returns an outcome for each file, in order. */
    uploadAll: (files: Iterable<UploadSource>, options?: UploadAllOptions) => uploadAll(connection, files, options),
    /** Uploads small files in one request. Returns an outcome for each file, in order. */
    uploadTogether: (files: readonly [Blob, ...Blob[]], options?: UploadTogetherOptions) =>
      uploadTogether(connection, files, options),
    /** Gives an upload the bytes of this file. Its URL changes, and the earlier one redirects to it. A repeat sends them again. */
    replace: (id: string, file: Blob | NativeFile, options: ReplaceOptions = {}) =>
      sendForm(connection, [file], options, ["PUT", `/images/${encodeURIComponent(id)}/content`]),
    /** Cancels an interrupted upload of a large file that `storage` remembers. */
    discard: (file: Blob, options: UploadOptions) => discard(connection, file, options),
    /** Signs the URL of a private file with a signing key, without a request: `sign` of `edge-media-host-client/images`. */
    sign: async (url: string, key: string, options?: SignOptions) =>
      (await import("./sign.ts")).sign(url, key, options),
    /** Iterates over every upload that matches the filter, newest first. */
    images: (filter?: ImageFilter, options?: CallOptions) =>
      toListing<MediaObject, ImagePage>(connection, "/images", {
        ...options,
        query: { limit: PAGE_ITEMS, ...filter },
      }),
    /** Iterates over the operations of the last 90 days that match the filter, newest first. */
    logs: (filter?: LogFilter, options?: CallOptions) =>
      toListing<LogEntry, LogPage>(connection, "/logs", { ...options, query: { limit: PAGE_ITEMS, ...filter } }),
    /** Iterates over whole lists, page by page. */
    all: {
      folders: walk<Folder>("/folders"),
      /** The tags of active uploads. By name, each is listed once even if uploads change meanwhile. */
      tags: (filter?: Omit<TagFilter, "cursor">, options?: CallOptions) =>
        toListing<TagCount>(connection, "/tags", { ...options, query: { sort: "name", ...filter } }),
      /** Resumable uploads that are not complete, newest first. */
      unfinished: walk<UnfinishedUpload>("/images/upload"),
      keys: walk<Key>("/keys"),
      alerts: walk<Alert>("/alerts"),
    },
    account: {
      ...calls.account,
      /** Iterates over all data of the account. Throws if the export breaks off. */
      export: (options?: CallOptions) => readLines<ExportLine>(connection, "/account/export", options),
    },
    /** Compresses a local image, or an upload by its id, without storing the result. Needs a session. */
    previewCompression: async (image: Blob | string, quality?: number, options?: CallOptions) =>
      (await import("./preview-compression.ts")).previewCompression(connection, image, quality, options),
  };
}
