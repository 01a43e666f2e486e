import { createAdmin } from "./admin.ts";
import { type CallOptions, type ClientOptions, Connection } from "./connection.ts";
import { toListing } from "./listing.ts";
import { previewCompression } from "./preview-compression.ts";
import { readLines } from "./read-lines.ts";
import { discard } from "./send-resumable.ts";
import type {
  Account,
  AccountChange,
  AccountDeleted,
  AccountDeletion,
  Alert,
  BulkChange,
  BulkDeleted,
  Erasure,
  ExportLine,
  Folder,
  FolderChange,
  FolderDeleted,
  ImageChange,
  ImageFilter,
  ImagePage,
  ImageQuery,
  Key,
  KeyAnalytics,
  KeyAnalyticsRange,
  KeyRequest,
  LogEntry,
  LogFilter,
  Login,
  LogPage,
  LogPageQuery,
  MediaObject,
  Message,
  NewFolder,
  NewKey,
  NewWebhook,
  OperationDays,
  OperationDaysRange,
  Overview,
  RegisteredAccount,
  Registration,
  RegistrationMode,
  Selection,
  Session,
  Settings,
  SettingsChange,
  ShownUpload,
  TagCount,
  TagFilter,
  Timeline,
  TimelineFilter,
  ToolFiles,
  UnfinishedUpload,
  Updated,
  Webhook,
  WebhookTest,
} from "./types.ts";
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
  const connection = new Connection(clientOptions);
  const image = (id: string) => `/images/${encodeURIComponent(id)}`;
  const unfinished = (id: string) => `/images/upload/${encodeURIComponent(id)}`;
  const folder = (id: string) => `/folders/${encodeURIComponent(id)}`;
  const key = (id: string) => `/keys/${encodeURIComponent(id)}`;
  const get = <Answer>(path: string, options?: CallOptions, query?: object) =>
    connection.call<Answer>("GET", path, { ...options, query });
  const change = <Answer>(method: string, path: string, body?: object, options?: CallOptions, repeatable?: boolean) =>
    connection.call<Answer>(method, path, { ...options, body, ...(repeatable && { repeatable }) });
  const bulk = (verb: string, which: readonly string[] | Selection | BulkChange, options?: CallOptions) =>
    change<Updated>("POST", `/images/bulk-${verb}`, "length" in which ? { ids: which } : which, options, true);
  const page = (query?: ImageQuery, options?: CallOptions) => get<ImagePage>("/images", options, query);

  return {
    /** Uploads one file; a large one in pieces that go on where they broke off. */
    upload: (file: UploadSource, options?: UploadOptions) => upload(connection, file, options),
    /** Uploads files, some at a time, each by itself: what became of each, in their order. */
    uploadAll: (files: Iterable<UploadSource>, options?: UploadAllOptions) => uploadAll(connection, files, options),
    /** Uploads small files in one request: what became of each, in their order. */
    uploadTogether: (files: readonly [Blob, ...Blob[]], options?: UploadTogetherOptions) =>
      uploadTogether(connection, files, options),
    /** Forgets what `storage` knows of a large file that was not uploaded to its end. */
    discard: (file: Blob, options: UploadOptions) => discard(connection, file, options),

    /** Uploads in pieces whose last byte has not come, whoever sends them. */
    unfinished: {
      list: async (options?: CallOptions) =>
        (await get<{ uploads: UnfinishedUpload[] }>("/images/upload", options)).uploads,
      get: (id: string, options?: CallOptions) => get<ShownUpload>(unfinished(id), options),
      delete: (id: string, options?: CallOptions) => change<undefined>("DELETE", unfinished(id), undefined, options),
    },

    /** Every upload that the filter lets through, newest first, however many. */
    images: (filter?: ImageFilter, options?: CallOptions) =>
      toListing<MediaObject, ImagePage>(
        (cursor) => get("/images", options, { limit: PAGE_ITEMS, ...filter, cursor }),
        ({ images }) => images,
        ({ pagination }) => pagination.nextCursor,
      ),
    imagePage: page,
    /** How many there are of each month or day, newest first. */
    timeline: (filter?: TimelineFilter, options?: CallOptions) => get<Timeline>("/images/timeline", options, filter),
    /** The tags of active uploads, the most used first. */
    tags: async (filter?: TagFilter, options?: CallOptions) =>
      (await get<{ tags: TagCount[] }>("/tags", options, filter)).tags,
    image: (id: string, options?: CallOptions) => get<MediaObject>(image(id), options),
    update: (id: string, body: ImageChange, options?: CallOptions) =>
      change<MediaObject>("PATCH", image(id), body, options),
    /** By a filter: until `nextCursor` is null, the same again with it as `cursor`; `trash` and `restore` too. */
    updateAll: (body: BulkChange, options?: CallOptions) => bulk("update", body, options),
    trash: (which: readonly string[] | Selection, options?: CallOptions) => bulk("trash", which, options),
    restore: (which: readonly string[] | Selection, options?: CallOptions) => bulk("restore", which, options),
    /** For good. Undefined where it is gone, but the answer that says so was lost. */
    delete: (id: string, options?: CallOptions) => change<Message | undefined>("DELETE", image(id), undefined, options),
    /** At most 100, for good, by a session. Those that an earlier try deleted, whose answer was lost, are in `failed` with 404. */
    deleteAll: (ids: readonly string[], options?: CallOptions) =>
      change<BulkDeleted>("POST", "/images/bulk-delete", { ids }, options, true),

    folders: {
      list: async (options?: CallOptions) => (await get<{ folders: Folder[] }>("/folders", options)).folders,
      create: (body: NewFolder, options?: CallOptions) => change<Folder>("POST", "/folders", body, options),
      update: (id: string, body: FolderChange, options?: CallOptions) =>
        change<Folder>("PATCH", folder(id), body, options),
      delete: (id: string, options?: CallOptions) =>
        change<FolderDeleted | undefined>("DELETE", folder(id), undefined, options),
    },

    /** What the account stores and has used. */
    stats: (options?: CallOptions) => get<Overview>("/stats/overview", options),
    operationDays: (range?: OperationDaysRange, options?: CallOptions) =>
      get<OperationDays>("/stats/operations", options, range),
    /** The operations of the last 90 days that the filter lets through, newest first. */
    logs: (filter?: LogFilter, options?: CallOptions) =>
      toListing<LogEntry, LogPage>(
        (cursor) => get("/logs", options, { limit: PAGE_ITEMS, ...filter, cursor }),
        ({ logs }) => logs,
        ({ pagination }) => pagination.nextCursor,
      ),
    logPage: (query?: LogPageQuery, options?: CallOptions) => get<LogPage>("/logs", options, query),
    alerts: async (options?: CallOptions) => (await get<{ alerts: Alert[] }>("/alerts", options)).alerts,

    settings: {
      get: (options?: CallOptions) => get<Settings>("/settings", options),
      update: (body: SettingsChange, options?: CallOptions) => change<Settings>("PATCH", "/settings", body, options),
    },
    /** An image as it would be stored: one of one's own, or an upload by its id. For a session. */
    previewCompression: (image: Blob | string, quality?: number, options?: CallOptions) =>
      previewCompression(connection, image, quality, options),
    webhook: {
      get: (options?: CallOptions) => get<Webhook>("/settings/webhook", options),
      /** Its secret is shown this once. */
      set: (url: string, options?: CallOptions) => change<NewWebhook>("PUT", "/settings/webhook", { url }, options),
      delete: (options?: CallOptions) => change<Message | undefined>("DELETE", "/settings/webhook", undefined, options),
      test: (options?: CallOptions) => change<WebhookTest>("POST", "/settings/webhook/test", undefined, options),
    },

    keys: {
      list: async (options?: CallOptions) => (await get<{ keys: Key[] }>("/keys", options)).keys,
      /** It is shown this once. */
      create: (body: KeyRequest, options?: CallOptions) => change<NewKey>("POST", "/keys", body, options),
      regenerateUploadKey: (options?: CallOptions) =>
        change<NewKey>("POST", "/keys/upload/regenerate", undefined, options),
      analytics: (id: string, range?: KeyAnalyticsRange, options?: CallOptions) =>
        get<KeyAnalytics>(`${key(id)}/analytics`, options, range),
      delete: (id: string, options?: CallOptions) => change<Message | undefined>("DELETE", key(id), undefined, options),
    },

    account: {
      get: (options?: CallOptions) => get<Account>("/account", options),
      update: (body: AccountChange, options?: CallOptions) => change<Account>("PATCH", "/account", body, options),
      /** Erases everything that it stores. */
      delete: (body: AccountDeletion, options?: CallOptions) =>
        change<AccountDeleted>("DELETE", "/account", body, options),
      /** Everything that it holds, line by line; one that breaks off throws. */
      export: (options?: CallOptions) => readLines<ExportLine>(connection, "/account/export", options),
      /** @param receipt of the account's deletion */
      erasure: (receipt: string, options?: CallOptions) =>
        get<Erasure>(`/erasures/${encodeURIComponent(receipt)}`, options),
    },
    auth: {
      registration: (options?: CallOptions) => get<RegistrationMode>("/auth/registration", options),
      register: (body: Registration, options?: CallOptions) =>
        change<RegisteredAccount>("POST", "/auth/register", body, options),
      logIn: (body: Login, options?: CallOptions) => change<Session>("POST", "/auth/login", body, options),
      logOut: (options?: CallOptions) => change<Message>("POST", "/auth/logout", undefined, options),
    },

    /** Files with which other programs upload. */
    tools: {
      list: (options?: CallOptions) => get<ToolFiles>("/tools", options),
      /** The file, with `keyPlaceholder` of the list where the key goes. */
      get: async (name: string, options?: CallOptions): Promise<string> =>
        (await connection.send({ method: "GET", path: `/tools/${encodeURIComponent(name)}`, ...options })).text(),
    },
    health: (options?: CallOptions) => get<{ status: "ok" }>("/health", options),
    /** The operator's endpoints; the client's `key` is the ADMIN_TOKEN then. */
    admin: createAdmin(connection),
  };
}
