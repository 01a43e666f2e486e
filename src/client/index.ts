import { createAdmin } from "./admin.ts";
import { createCalls } from "./calls.ts";
import { type CallOptions, type ClientOptions, Connection } from "./connection.ts";
import { toListing } from "./listing.ts";
import { previewCompression } from "./preview-compression.ts";
import { readLines } from "./read-lines.ts";
import { sendByXhr } from "./send-by-xhr.ts";
import { discard } from "./send-resumable.ts";
import type { ExportLine, ImageFilter, ImagePage, LogEntry, LogFilter, LogPage, MediaObject } from "./types.ts";
import { type UploadAllOptions, type UploadOptions, type UploadSource, upload, uploadAll } from "./upload.ts";
import { type UploadTogetherOptions, uploadTogether } from "./upload-together.ts";

export type { OperatorPage } from "./admin.ts";
export type { CallOptions, ClientOptions } from "./connection.ts";
export type { Listing } from "./listing.ts";
export { MediaHostError } from "./media-host-error.ts";
export type { UploadStorage } from "./send-resumable.ts";
export type * from "./types.ts";
export type {
  NativeFile,
  UploadAllOptions,
  UploadOptions,
  UploadOutcome,
  UploadProgress,
  UploadSource,
} from "./upload.ts";
export type { UploadTogetherOptions } from "./upload-together.ts";

/** As many as a page may have. */
const PAGE_ITEMS = 100;

/** A client of one service, as one caller: `createClient`. */
export type Client = ReturnType<typeof createClient>;

/**
 * A client of the media host, for browsers, Node and Workers. Every call is tried again where that may help, waits as long as the service
 * asks for, and throws a `MediaHostError` in the end, or the reason of the `signal` that is given as an option.
 */
export function createClient(clientOptions: ClientOptions) {
  const connection = new Connection(clientOptions, sendByXhr);
  const calls = createCalls(connection);
  const get = <Page>(path: string, options?: CallOptions, query?: object) =>
    connection.call<Page>("GET", path, { ...options, query });

  return {
    ...calls,
    /** Uploads one file; a large one in pieces that go on where they broke off. */
    upload: (file: UploadSource, options?: UploadOptions) => upload(connection, file, options),
    /** Uploads files, some at a time, each by itself: what became of each, in their order. */
    uploadAll: (files: Iterable<UploadSource>, options?: UploadAllOptions) => uploadAll(connection, files, options),
    /** Uploads small files in one request: what became of each, in their order. */
    uploadTogether: (files: readonly [Blob, ...Blob[]], options?: UploadTogetherOptions) =>
      uploadTogether(connection, files, options),
    /** Forgets what `storage` knows of a large file that was not uploaded to its end. */
    discard: (file: Blob, options: UploadOptions) => discard(connection, file, options),
    /** Every upload that the filter lets through, newest first, however many. */
    images: (filter?: ImageFilter, options?: CallOptions) =>
      toListing<MediaObject, ImagePage>(
        (cursor) => get("/images", options, { limit: PAGE_ITEMS, ...filter, cursor }),
        ({ images }) => images,
        ({ pagination }) => pagination.nextCursor,
      ),
    /** The operations of the last 90 days that the filter lets through, newest first. */
    logs: (filter?: LogFilter, options?: CallOptions) =>
      toListing<LogEntry, LogPage>(
        (cursor) => get("/logs", options, { limit: PAGE_ITEMS, ...filter, cursor }),
        ({ logs }) => logs,
        ({ pagination }) => pagination.nextCursor,
      ),
    account: {
      ...calls.account,
      /** Everything that it holds, line by line; one that breaks off throws. */
      export: (options?: CallOptions) => readLines<ExportLine>(connection, "/account/export", options),
    },
    /** An image as it would be stored: one of one's own, or an upload by its id. For a session. */
    previewCompression: (image: Blob | string, quality?: number, options?: CallOptions) =>
      previewCompression(connection, image, quality, options),
    /** The operator's endpoints; the client's `key` is the ADMIN_TOKEN then. */
    admin: createAdmin(connection),
  };
}
