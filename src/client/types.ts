import type { z } from "@hono/zod-openapi";
import type {
  AccountChangeBody,
  AccountDeletedSchema,
  AccountDeletionBody,
  AccountSchema,
  ErasureSchema,
  LogInBody,
  RegisterBody,
  RegisteredSchema,
  RegistrationModeSchema,
  SessionSchema,
  ShownAccountSchema,
} from "../contract/account.ts";
import type {
  AdminAccountSchema,
  InvitationBody,
  InvitationSchema,
  ListedAccountSchema,
  MoveProgressSchema,
  NewInvitationSchema,
  OperatorMarkBody,
  RetriedThumbnailsSchema,
  RetryThumbnailsBody,
  ShardBody,
  ShardsSchema,
  TierBody,
  TierChangedSchema,
  UpdatedSchemaSchema,
} from "../contract/admin.ts";
import type { AlertSchema } from "../contract/alert.ts";
import type { BulkDeletedSchema } from "../contract/bulk-delete.ts";
import type { ErrorCodeSchema, MessageSchema } from "../contract/common.ts";
import type { DuplicateGroupSchema, DuplicatesQuery, DuplicatesSchema } from "../contract/duplicates.ts";
import type { ExportLineSchema } from "../contract/export.ts";
import type { FileHistorySchema } from "../contract/file-history.ts";
import type {
  FolderChangeBody,
  FolderDeletedSchema,
  FolderSchema,
  NewestSchema,
  NewFolderBody,
} from "../contract/folder.ts";
import type { BulkChangeBody, ImageChangeBody } from "../contract/image-change.ts";
import type {
  ImportItemSchema,
  ImportPageSchema,
  ImportSchema,
  NewImportBody,
  NewImportSchema,
  ShownImportSchema,
} from "../contract/import.ts";
import type { KeySchema, NewKeyBody, NewKeySchema } from "../contract/key.ts";
import type { KeyAnalyticsQuery, KeyAnalyticsSchema } from "../contract/key-analytics.ts";
import type { ListQuery } from "../contract/list-query.ts";
import type { LogEntrySchema, LogPageSchema } from "../contract/log-entry.ts";
import type { LogQuery } from "../contract/log-query.ts";
import type { ImagePageSchema, MediaObjectSchema } from "../contract/media-object.ts";
import type { OperationDaysQuery, OperationDaysSchema } from "../contract/operation-days.ts";
import type {
  AccountIntentsSchema,
  DeadLettersSchema,
  FailedThumbnailsSchema,
  LettersBody,
  LettersChangedSchema,
  OverdueIntentsSchema,
  RetriedIntentSchema,
  RetryIntentBody,
} from "../contract/operator.ts";
import type { AuditSchema, OperatorErasureSchema, SuspensionSchema } from "../contract/operator-actions.ts";
import type { OverviewSchema } from "../contract/overview.ts";
import type {
  NewPasskeyBody,
  PasskeyAnswerBody,
  PasskeyCreationSchema,
  PasskeyRequestSchema,
  PasskeySchema,
} from "../contract/passkey.ts";
import type {
  FindingSchema,
  ReconcileAccountBody,
  ReconcileBody,
  ReconciledAccountSchema,
  ReconciliationSchema,
} from "../contract/reconcile.ts";
import type { DecisionBody, ReportedFileSchema, ReportsSchema } from "../contract/report.ts";
import type { SelectionBody, UpdatedSchema } from "../contract/selection.ts";
import type { ServiceOverviewSchema } from "../contract/service-overview.ts";
import type { ReauthenticatedSchema, ReauthenticationBody, SessionListSchema } from "../contract/session.ts";
import type { AllSettingsSchema, PresetSchema, SettingsChangeBody } from "../contract/settings.ts";
import type { NewShareBody, ShareChangeBody, SharePageSchema, ShareSchema } from "../contract/share.ts";
import type { SignedImageSchema } from "../contract/signed-image.ts";
import type { TagQuery, TagsSchema } from "../contract/tag.ts";
import type { TakedownBody, TakedownSchema, TakedownsSchema } from "../contract/takedown.ts";
import type { TimelineQuery, TimelineSchema } from "../contract/timeline.ts";
import type { ToolFilesSchema } from "../contract/tool-file.ts";
import type { NewTotpSchema, RecoveryCodesSchema, TotpStateSchema } from "../contract/totp.ts";
import type { ShownUploadSchema, UnfinishedUploadSchema } from "../contract/unfinished-upload.ts";
import type { BatchSchema, UploadResultSchema } from "../contract/upload-result.ts";
import type {
  NewUploadTokenBody,
  NewUploadTokenSchema,
  UploadTokenPageSchema,
  UploadTokenSchema,
} from "../contract/upload-token.ts";
import type {
  DeliveriesSchema,
  EventSchema,
  EventsSchema,
  NamedWebhookBody,
  NamedWebhookSchema,
  NewNamedWebhookSchema,
  NewWebhookSchema,
  WebhookDeliverySchema,
  WebhookSchema,
  WebhookTestSchema,
} from "../contract/webhook.ts";

/**
 * The shapes of the REST API, as the server validates and describes them. A request has the type of a schema's input, an answer the type of
 * its output.
 */

/** Stable names of errors. */
export type ErrorCode = z.output<typeof ErrorCodeSchema>;
export type Message = z.output<typeof MessageSchema>;
export type Updated = z.output<typeof UpdatedSchema>;

export type UploadResult = z.output<typeof UploadResultSchema>;
/** The outcome of a request with several files. */
export type UploadBatch = z.output<typeof BatchSchema>;
export type UnfinishedUpload = z.output<typeof UnfinishedUploadSchema>;
/** A resumable upload; it has a result once it is stored. */
export type ShownUpload = z.output<typeof ShownUploadSchema>;
export type MediaObject = z.output<typeof MediaObjectSchema>;
export type ImagePage = z.output<typeof ImagePageSchema>;
export type HistoryEntry = z.output<typeof FileHistorySchema>["history"][number];
export type SignedImage = z.output<typeof SignedImageSchema>;
export type ImageChange = z.input<typeof ImageChangeBody>;
export type BulkChange = z.input<typeof BulkChangeBody>;
export type BulkDeleted = z.output<typeof BulkDeletedSchema>;
/** Uploads selected by ids or by a filter. */
export type Selection = z.input<typeof SelectionBody>;
type Flag = "favorite" | "expires" | "hasAlt" | "takenDown";
export type ImageQuery = Omit<Partial<z.output<typeof ListQuery>>, Flag> & { [Name in Flag]?: boolean | undefined };
/** The filters of a list, without paging. */
export type ImageFilter = Omit<ImageQuery, "page" | "cursor">;

/** Uploads with the same bytes. */
export type DuplicateGroup = z.output<typeof DuplicateGroupSchema>;
export type DuplicatePage = z.output<typeof DuplicatesSchema>;
export type DuplicatePaging = Partial<z.output<typeof DuplicatesQuery>>;

export type TagCount = z.output<typeof TagsSchema>["tags"][number];
export type TagFilter = Partial<z.output<typeof TagQuery>>;
export type Timeline = z.output<typeof TimelineSchema>;
export type TimelineFilter = Partial<z.output<typeof TimelineQuery>>;

export type Folder = z.output<typeof FolderSchema>;
export type NewestOfFolders = z.output<typeof NewestSchema>;
export type NewFolder = z.input<typeof NewFolderBody>;
export type FolderChange = z.input<typeof FolderChangeBody>;
export type FolderDeleted = z.output<typeof FolderDeletedSchema>;

/** Configuration files of other programs. */
export type ToolFiles = z.output<typeof ToolFilesSchema>;

export type Overview = z.output<typeof OverviewSchema>;
export type OperationDays = z.output<typeof OperationDaysSchema>;
export type OperationDaysRange = z.output<typeof OperationDaysQuery>;
export type LogEntry = z.output<typeof LogEntrySchema>;
export type LogPage = z.output<typeof LogPageSchema>;
export type LogPageQuery = Partial<z.output<typeof LogQuery>>;
export type LogFilter = Omit<LogPageQuery, "page" | "cursor">;
export type Settings = z.output<typeof AllSettingsSchema>;
export type SettingsChange = z.input<typeof SettingsChangeBody>;
export type Preset = z.output<typeof PresetSchema>;
export type Alert = z.output<typeof AlertSchema>;
export type Webhook = z.output<typeof WebhookSchema>;
export type NewWebhook = z.output<typeof NewWebhookSchema>;
export type WebhookTest = z.output<typeof WebhookTestSchema>;
export type NamedWebhook = z.output<typeof NamedWebhookSchema>;
export type NamedWebhookChange = z.input<typeof NamedWebhookBody>;
export type NewNamedWebhook = z.output<typeof NewNamedWebhookSchema>;
export type WebhookDelivery = z.output<typeof WebhookDeliverySchema>;
export type ListedWebhookDelivery = z.output<typeof DeliveriesSchema>["deliveries"][number];
export type Event = z.output<typeof EventSchema>;
export type EventPage = z.output<typeof EventsSchema>;

export type Key = z.output<typeof KeySchema>;
export type KeyRequest = z.input<typeof NewKeyBody>;
export type NewKey = z.output<typeof NewKeySchema>;
export type KeyAnalytics = z.output<typeof KeyAnalyticsSchema>;
export type KeyAnalyticsRange = z.output<typeof KeyAnalyticsQuery>;

export type ImportRequest = z.input<typeof NewImportBody>;
export type NewImport = z.output<typeof NewImportSchema>;
export type Import = z.output<typeof ImportSchema>;
export type ImportItem = z.output<typeof ImportItemSchema>;
export type ImportPage = z.output<typeof ImportPageSchema>;
export type ImportWithItems = z.output<typeof ShownImportSchema>;

export type NewShare = z.input<typeof NewShareBody>;
export type ShareChange = z.input<typeof ShareChangeBody>;
export type Share = z.output<typeof ShareSchema>;
export type SharePage = z.output<typeof SharePageSchema>;
export type ShareQuery = { readonly limit?: number; readonly cursor?: string };
export type UploadTokenRequest = z.input<typeof NewUploadTokenBody>;
export type NewUploadToken = z.output<typeof NewUploadTokenSchema>;
export type UploadToken = z.output<typeof UploadTokenSchema>;
export type UploadTokenPage = z.output<typeof UploadTokenPageSchema>;
export type UploadTokenQuery = { readonly limit?: number; readonly cursor?: string };

export type Account = z.output<typeof AccountSchema>;
/** The account of `GET /account`. */
export type ShownAccount = z.output<typeof ShownAccountSchema>;
export type AccountChange = z.input<typeof AccountChangeBody>;
export type AccountDeletion = z.input<typeof AccountDeletionBody>;
export type AccountDeleted = z.output<typeof AccountDeletedSchema>;
export type Erasure = z.output<typeof ErasureSchema>;
export type ExportLine = z.output<typeof ExportLineSchema>;
export type Registration = z.input<typeof RegisterBody>;
export type RegistrationMode = z.output<typeof RegistrationModeSchema>;
export type RegisteredAccount = z.output<typeof RegisteredSchema>;
export type Login = z.input<typeof LogInBody>;
export type Session = z.output<typeof SessionSchema>;
export type ListedSession = z.output<typeof SessionListSchema>["sessions"][number];
export type Passkey = z.output<typeof PasskeySchema>;
export type PasskeyAnswer = z.input<typeof PasskeyAnswerBody>;
export type PasskeyRequest = z.output<typeof PasskeyRequestSchema>;
export type PasskeyCreation = z.output<typeof PasskeyCreationSchema>;
export type NewPasskey = z.input<typeof NewPasskeyBody>;
export type Totp = z.output<typeof TotpStateSchema>;
export type NewTotp = z.output<typeof NewTotpSchema>;
export type RecoveryCodes = z.output<typeof RecoveryCodesSchema>;
export type Reauthentication = z.input<typeof ReauthenticationBody>;
export type Reauthenticated = z.output<typeof ReauthenticatedSchema>;

export type AdminAccount = z.output<typeof AdminAccountSchema>;
export type ListedAccount = z.output<typeof ListedAccountSchema>;
export type OperatorMark = z.input<typeof OperatorMarkBody>;
export type Suspension = z.output<typeof SuspensionSchema>;
export type OperatorErasure = z.output<typeof OperatorErasureSchema>;
export type AuditEntry = z.output<typeof AuditSchema>["entries"][number];
export type Report = z.output<typeof ReportsSchema>["reports"][number];
export type ReportDecision = z.input<typeof DecisionBody>["decision"];
export type ReportedFile = z.output<typeof ReportedFileSchema>;
export type Takedown = z.output<typeof TakedownSchema>;
export type ListedTakedown = z.output<typeof TakedownsSchema>["takedowns"][number];
export type TakedownOrder = z.input<typeof TakedownBody>;
export type ServiceOverview = z.output<typeof ServiceOverviewSchema>;
export type Tier = z.input<typeof TierBody>["tier"];
export type ChangedTier = z.output<typeof TierChangedSchema>;
export type ShardState = z.output<typeof ShardBody>;
export type Shards = z.output<typeof ShardsSchema>;
export type MoveProgress = z.output<typeof MoveProgressSchema>;
export type Invitation = z.output<typeof InvitationSchema>;
export type NewInvitation = z.output<typeof NewInvitationSchema>;
export type InvitationChange = z.input<typeof InvitationBody>;
export type RetryThumbnails = z.input<typeof RetryThumbnailsBody>;
export type RetriedThumbnails = z.output<typeof RetriedThumbnailsSchema>;
export type UpdatedDatabases = z.output<typeof UpdatedSchemaSchema>;
export type OverdueIntent = z.output<typeof OverdueIntentsSchema>["intents"][number];
export type AccountIntents = z.output<typeof AccountIntentsSchema>;
export type AccountIntent = AccountIntents["intents"][number];
export type IntentRetry = z.input<typeof RetryIntentBody>;
export type RetriedIntent = z.output<typeof RetriedIntentSchema>;
export type DeadLetter = z.output<typeof DeadLettersSchema>["letters"][number];
export type DeadLetterIds = z.input<typeof LettersBody>;
export type ChangedDeadLetters = z.output<typeof LettersChangedSchema>;
export type FailedThumbnail = z.output<typeof FailedThumbnailsSchema>["thumbnails"][number];
export type Finding = z.output<typeof FindingSchema>;
export type ReconciliationOrder = z.input<typeof ReconcileBody>;
export type Reconciliation = z.output<typeof ReconciliationSchema>;
export type AccountReconciliationOrder = z.input<typeof ReconcileAccountBody>;
export type ReconciledAccount = z.output<typeof ReconciledAccountSchema>;
