import type { CallOptions, Connection } from "./connection.ts";
import type {
  AccountChange,
  AccountDeleted,
  AccountDeletion,
  Alert,
  BulkChange,
  BulkDeleted,
  DuplicatePage,
  DuplicatePaging,
  Erasure,
  Folder,
  FolderChange,
  FolderDeleted,
  HistoryEntry,
  ImageChange,
  ImagePage,
  ImageQuery,
  Key,
  KeyAnalytics,
  KeyAnalyticsRange,
  KeyRequest,
  Login,
  LogPage,
  LogPageQuery,
  MediaObject,
  Message,
  NewestOfFolders,
  NewFolder,
  NewKey,
  NewShare,
  NewUploadToken,
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
  Share,
  ShareChange,
  SharePage,
  ShareQuery,
  ShownAccount,
  ShownUpload,
  SignedImage,
  TagCount,
  TagFilter,
  Timeline,
  TimelineFilter,
  ToolFiles,
  UnfinishedUpload,
  Updated,
  UploadTokenPage,
  UploadTokenQuery,
  UploadTokenRequest,
  Webhook,
  WebhookTest,
} from "./types.ts";

/** Options of a permanent deletion. */
export interface DeleteOptions extends CallOptions {
  /** Deletes only files that are in the trash at the moment of their deletion. */
  readonly onlyFrom?: "trash" | undefined;
}

/** The calls of one request each. A page can load them without uploads and the operator's calls. */
export function createCalls(connection: Connection) {
  const image = (id: string) => `/images/${encodeURIComponent(id)}`;
  const unfinished = (id: string) => `/images/upload/${encodeURIComponent(id)}`;
  const folder = (id: string) => `/folders/${encodeURIComponent(id)}`;
  const key = (id: string) => `/keys/${encodeURIComponent(id)}`;
  const share = (id: string) => `/shares/${encodeURIComponent(id)}`;
  const get = <Answer>(path: string, options?: CallOptions, query?: object) =>
    connection.call<Answer>("GET", path, { ...options, query });
  const change = <Answer>(method: string, path: string, body?: object, options?: CallOptions, repeatable?: boolean) =>
    connection.call<Answer>(method, path, { ...options, body, repeatable });
  const bulk = (verb: string, which: readonly string[] | Selection | BulkChange, options?: CallOptions) =>
    change<Updated>("POST", `/images/bulk-${verb}`, "length" in which ? { ids: which } : which, options, true);
  const page = (query?: ImageQuery, options?: CallOptions) => get<ImagePage>("/images", options, query);

  return {
    /** Resumable uploads of the account that are not complete. */
    unfinished: {
      list: async (options?: CallOptions) =>
        (await get<{ uploads: UnfinishedUpload[] }>("/images/upload", options)).uploads,
      get: (id: string, options?: CallOptions) => get<ShownUpload>(unfinished(id), options),
      delete: (id: string, options?: CallOptions) => change<undefined>("DELETE", unfinished(id), undefined, options),
    },

    imagePage: page,
    /** Numbers of uploads by month or day, newest first. */
    timeline: (filter?: TimelineFilter, options?: CallOptions) => get<Timeline>("/images/timeline", options, filter),
    /** Active uploads with the same bytes. A page may be empty: repeat the call with `pagination.nextCursor` until it is null. */
    duplicatePage: (query?: DuplicatePaging, options?: CallOptions) =>
      get<DuplicatePage>("/duplicates", options, query),
    /** Tags of active uploads, the most used first. */
    tags: async (filter?: TagFilter, options?: CallOptions) =>
      (await get<{ tags: TagCount[] }>("/tags", options, filter)).tags,
    image: (id: string, options?: CallOptions) => get<MediaObject>(image(id), options),
    /** The changes of a file, newest first, each with its time and its author (null if it is unknown). Its upload is the last entry. */
    history: async (id: string, options?: CallOptions) =>
      (await get<{ history: HistoryEntry[] }>(`/history/${encodeURIComponent(id)}`, options)).history,
    /** URLs that open a private file for some time, signed by the service. */
    signedUrls: (id: string, expiresIn?: number, options?: CallOptions) =>
      change<SignedImage>("POST", `${image(id)}/sign`, { expiresIn }, options, true),
    /**
     * Removes the place and other private metadata from the stored file, without a change of its pixels or frames. Its URL changes, and the
     * earlier one redirects to it. A file without them stays as it is.
     */
    removeLocation: (id: string, options?: CallOptions) =>
      change<MediaObject>("POST", `${image(id)}/remove-location`, undefined, options, true),
    update: (id: string, body: ImageChange, options?: CallOptions) =>
      change<MediaObject>("PATCH", image(id), body, options),
    /**
     * With a filter, repeat the call with `pagination.nextCursor` as `cursor` until it is null. The same is true for `trash` and `restore`.
     */
    updateAll: (body: BulkChange, options?: CallOptions) => bulk("update", body, options),
    trash: (which: readonly string[] | Selection, options?: CallOptions) => bulk("trash", which, options),
    restore: (which: readonly string[] | Selection, options?: CallOptions) => bulk("restore", which, options),
    /**
     * Deletes permanently. Returns undefined if an earlier try deleted it and the response was lost. With `onlyFrom`, a file that is not in the
     * trash is kept: 409 `image_not_in_trash`.
     */
    delete: (id: string, { onlyFrom, ...options }: DeleteOptions = {}) =>
      connection.call<Message | undefined>("DELETE", image(id), { ...options, query: { onlyFrom } }),
    /**
     * Deletes up to 100 uploads permanently, with a session. Uploads that an earlier try deleted are in `failed` with 404, and with `onlyFrom`
     * uploads that are not in the trash with 409 `image_not_in_trash`.
     */
    deleteAll: (ids: readonly string[], { onlyFrom, ...options }: DeleteOptions = {}) =>
      change<BulkDeleted>("POST", "/images/bulk-delete", { ids, onlyFrom }, options, true),

    folders: {
      list: async (options?: CallOptions) => (await get<{ folders: Folder[] }>("/folders", options)).folders,
      /** The newest files of up to 25 folders. */
      newest: (ids: readonly string[], options?: CallOptions) =>
        get<NewestOfFolders>("/folders/newest", options, { ids: ids.join() }),
      create: (body: NewFolder, options?: CallOptions) => change<Folder>("POST", "/folders", body, options),
      update: (id: string, body: FolderChange, options?: CallOptions) =>
        change<Folder>("PATCH", folder(id), body, options),
      delete: (id: string, options?: CallOptions) =>
        change<FolderDeleted | undefined>("DELETE", folder(id), undefined, options),
    },

    /** Pages of files that need no account. */
    shares: {
      list: (query?: ShareQuery, options?: CallOptions) => get<SharePage>("/shares", options, query),
      create: (body: NewShare, options?: CallOptions) => change<Share>("POST", "/shares", body, options),
      update: (id: string, body: ShareChange, options?: CallOptions) =>
        change<Share>("PATCH", share(id), body, options),
      delete: (id: string, options?: CallOptions) =>
        change<Message | undefined>("DELETE", share(id), undefined, options),
      get: (id: string, options?: CallOptions) => get<Share>(share(id), options),
    },

    /** The account's storage and operations. */
    stats: (options?: CallOptions) => get<Overview>("/stats/overview", options),
    operationDays: (range?: OperationDaysRange, options?: CallOptions) =>
      get<OperationDays>("/stats/operations", options, range),
    logPage: (query?: LogPageQuery, options?: CallOptions) => get<LogPage>("/logs", options, query),
    alerts: async (options?: CallOptions) => (await get<{ alerts: Alert[] }>("/alerts", options)).alerts,

    settings: {
      get: (options?: CallOptions) => get<Settings>("/settings", options),
      update: (body: SettingsChange, options?: CallOptions) => change<Settings>("PATCH", "/settings", body, options),
    },
    webhook: {
      get: (options?: CallOptions) => get<Webhook>("/settings/webhook", options),
      /** The answer shows the secret once. */
      set: (url: string, options?: CallOptions) => change<NewWebhook>("PUT", "/settings/webhook", { url }, options),
      delete: (options?: CallOptions) => change<Message | undefined>("DELETE", "/settings/webhook", undefined, options),
      test: (options?: CallOptions) => change<WebhookTest>("POST", "/settings/webhook/test", undefined, options),
    },

    keys: {
      list: async (options?: CallOptions) => (await get<{ keys: Key[] }>("/keys", options)).keys,
      /** The answer shows the key once. */
      create: (body: KeyRequest, options?: CallOptions) => change<NewKey>("POST", "/keys", body, options),
      regenerateUploadKey: (options?: CallOptions) =>
        change<NewKey>("POST", "/keys/upload/regenerate", undefined, options),
      analytics: (id: string, range?: KeyAnalyticsRange, options?: CallOptions) =>
        get<KeyAnalytics>(`${key(id)}/analytics`, options, range),
      delete: (id: string, options?: CallOptions) => change<Message | undefined>("DELETE", key(id), undefined, options),
    },

    /** Tokens for uploads from a browser. */
    uploadTokens: {
      list: (query?: UploadTokenQuery, options?: CallOptions) => get<UploadTokenPage>("/upload-tokens", options, query),
      /** The answer shows the token once. */
      create: (body: UploadTokenRequest, options?: CallOptions) =>
        change<NewUploadToken>("POST", "/upload-tokens", body, options),
      revoke: (id: string, options?: CallOptions) =>
        change<Message | undefined>("DELETE", `/upload-tokens/${encodeURIComponent(id)}`, undefined, options),
    },

    account: {
      get: (options?: CallOptions) => get<ShownAccount>("/account", options),
      /** A new password is sent once: a repeat would be refused, because the current password is another. */
      update: (body: AccountChange, options?: CallOptions) =>
        change<ShownAccount>("PATCH", "/account", body, options, body.password === undefined),
      /** Erases the account with all its files. Returns undefined if an earlier try erased it and the response was lost. */
      delete: (body: AccountDeletion, options?: CallOptions) =>
        connection.call<AccountDeleted | undefined>("DELETE", "/account", { ...options, body, endsCredential: true }),
      /** @param receipt the receipt of the account's deletion */
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

    /** Configuration files of other programs. */
    tools: {
      list: (options?: CallOptions) => get<ToolFiles>("/tools", options),
      /** The file, with the list's `keyPlaceholder` in place of the key. */
      get: async (name: string, options?: CallOptions): Promise<string> =>
        (await connection.send({ method: "GET", path: `/tools/${encodeURIComponent(name)}`, ...options })).text(),
    },
    health: (options?: CallOptions) => get<{ status: "ok" }>("/health", options),
  };
}
