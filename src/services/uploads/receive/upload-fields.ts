import { ERRORS } from "../../../domain/errors.ts";
import type { ScrubMode } from "../../../domain/metadata-mode.ts";
import { rootOf } from "../../../domain/principal.ts";
import { normalizeTags } from "../../../domain/tags.ts";
import {
  type NewUploadFacts,
  NO_FACTS,
  parseMetadata,
  type Reading,
  readAlt,
  readExpiresAt,
  readExpiresIn,
  readExternalId,
} from "../../../domain/upload-facts.ts";
import type { UploadTokenLimits } from "../../../domain/upload-token.ts";
import { VISIBILITIES, type Visibility } from "../../../domain/visibility.ts";
import type { MultipartPart } from "../../../multipart/read-multipart.ts";
import type { AccountContext } from "../../context.ts";
import { resolveFolder } from "../../folders/resolve-folder.ts";
import { refuseTakenId } from "../../images/external-ids.ts";

/** The fields of a request, which apply to all of its files and may come before or after them (UP-2). */
export interface UploadFields extends NewUploadFacts {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  readonly visibility: Visibility;
}

/**
 * The fields of a request without fields, from its upload token. New bytes get the visibility of the file that they replace. If a confined
 * key's folder was deleted, the row's foreign key detects it.
 */
export function defaultFields(account: AccountContext): UploadFields {
  const { tags = [], externalId = null, metadata = null, visibility } = limitsOf(account) ?? {};
  const given = { externalId, metadata, visibility: visibility ?? account.replaces?.visibility ?? "public" };
  return { ...NO_FACTS, folderId: rootOf(account), tags: [...tags], ...given };
}

function limitsOf({ principal }: AccountContext): UploadTokenLimits | undefined {
  return principal.kind === "upload-token" ? principal.limits : undefined;
}

/** The names of the fields in forms, in the query of a raw body and in tus's `Upload-Metadata`. */
export const UPLOAD_FIELDS = [
  "folderId",
  "tags",
  "visibility",
  "externalId",
  "alt",
  "metadata",
  "expiresAt",
  "expiresIn",
] as const;

type UploadFieldName = (typeof UPLOAD_FIELDS)[number];

/** The fields as sent by the client. */
export type UploadFieldTexts = { readonly [Name in UploadFieldName]?: string | undefined };

export function isUploadField(name: string): name is UploadFieldName {
  return UPLOAD_FIELDS.some((field) => field === name);
}

/** @param find returns the text of a field */
export function toFieldTexts(find: (name: UploadFieldName) => string | null | undefined): UploadFieldTexts {
  return Object.fromEntries(UPLOAD_FIELDS.map((name) => [name, find(name) ?? undefined]));
}

/**
 * Adds fields to earlier ones; the tags of both are joined. An empty fact counts as absent.
 * @throws ServiceError 400 for a malformed value, 404 for an unknown folder, 409 for the `externalId` of another upload
 */
export async function addFields(
  account: AccountContext,
  fields: UploadFields,
  said: UploadFieldTexts,
): Promise<UploadFields> {
  const tags = said.tags === undefined ? fields.tags : normalizeTags([...fields.tags, ...said.tags.split(",")]);
  const facts = {
    ...(said.visibility ? { visibility: readVisibility(account, said.visibility) } : {}),
    ...(said.externalId ? { externalId: judged("externalId", readExternalId(said.externalId)) } : {}),
    ...(said.alt ? { alt: judged("alt", readAlt(said.alt)) } : {}),
    ...(said.metadata ? { metadata: judged("metadata", parseMetadata(said.metadata)) } : {}),
    ...(said.expiresAt ? { expiresAt: judged("expiresAt", readExpiresAt(said.expiresAt, account.now())) } : {}),
    ...(said.expiresIn ? { expiresAt: judged("expiresIn", readExpiresIn(said.expiresIn, account.now())) } : {}),
  };
  if (said.expiresAt && said.expiresIn) throw ERRORS.InvalidRequest({ expiresIn: "Not allowed with `expiresAt`" });
  for (const name of ["externalId", "metadata"] as const) {
    const isFixed = (limitsOf(account)?.[name] ?? null) !== null;
    if (isFixed && facts[name] !== undefined) throw ERRORS.InvalidRequest({ [name]: "The upload token has it" });
  }
  // The index decides when the row is written. This saves the client from sending the file.
  if (facts.externalId !== undefined) await refuseTakenId(account, facts.externalId);
  if (said.folderId === undefined) return { ...fields, ...facts, tags };
  const named = said.folderId.trim();
  const folderId = await resolveFolder(account, named === "" || named === "root" ? null : named);
  if (limitsOf(account)?.isFolderFixed === true && folderId !== rootOf(account)) throw ERRORS.FolderNotFound();
  return { ...fields, ...facts, folderId, tags };
}

/** @throws ServiceError 400 */
function judged<Value>(name: UploadFieldName, reading: Reading<Value>): Value {
  if ("problem" in reading) throw ERRORS.InvalidRequest({ [name]: reading.problem });
  return reading.value;
}

/** The visibility of an upload token is its files', whatever a visitor sends. @throws ServiceError 400 */
function readVisibility(account: AccountContext, text: string): Visibility {
  const visibility = VISIBILITIES.find((known) => known === text.trim());
  if (visibility === undefined) throw ERRORS.InvalidRequest({ visibility: "Must be public or private" });
  return limitsOf(account)?.visibility ?? visibility;
}

/** @throws ServiceError 400 if several files would have the same `externalId` */
export function requireOneFile({ externalId }: UploadFields, files: number): void {
  if (externalId !== null && files > 1) throw ERRORS.InvalidRequest({ externalId: "Only for a request with one file" });
}

/** How the files of a request are stored. */
export interface StorageOptions {
  /** Whether the request wants no second file with the same bytes (UP-14). */
  readonly dedupe?: boolean | undefined;
  /** Whether images are compressed, in place of the account's setting (COMP-8). */
  readonly compress?: boolean | undefined;
}

/** How the files of a run are stored. */
export interface RunOptions extends StorageOptions {
  /** Which metadata is removed, in place of the account's setting. No client sends it. */
  readonly scrub?: ScrubMode | undefined;
}

export const STORAGE_OPTIONS = ["dedupe", "compress"] as const;

/** The options as sent by the client. */
export type StorageOptionTexts = { readonly [Name in keyof StorageOptions]?: string | undefined };

export function isStorageOption(name: string): name is keyof StorageOptions {
  return STORAGE_OPTIONS.some((option) => option === name);
}

/** @param find returns the text of an option */
export function toOptionTexts(find: (name: keyof StorageOptions) => string | null | undefined): StorageOptionTexts {
  return Object.fromEntries(STORAGE_OPTIONS.map((name) => [name, find(name) ?? undefined]));
}

/** Adds options to earlier ones. The account's setting decides how files of upload tokens are compressed. @throws ServiceError 400 */
export function addOptions(account: AccountContext, options: RunOptions, said: StorageOptionTexts): RunOptions {
  const compress = readFlag("compress", said.compress);
  return {
    ...options,
    dedupe: readFlag("dedupe", said.dedupe) ?? options.dedupe,
    compress: limitsOf(account) === undefined ? (compress ?? options.compress) : undefined,
  };
}

/** @returns undefined for an empty text. @throws ServiceError 400 */
function readFlag(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined || text === "") return undefined;
  if (text !== "true" && text !== "false") throw ERRORS.InvalidRequest({ [name]: "Must be true or false" });
  return text === "true";
}

const MAX_FIELD_BYTES = 16 * 1024;

/** A form's text field. @throws ServiceError 400 if it is too long; MultipartError, BodyTooLargeError */
export async function readText(part: MultipartPart): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await part.read(); chunk !== undefined; chunk = await part.read()) {
    length += chunk.length;
    if (length > MAX_FIELD_BYTES) throw ERRORS.InvalidRequest({ [part.name]: "The value is too long" });
    // A copy, because the chunk is valid only until the next read (`slice` would not copy a Buffer).
    chunks.push(new Uint8Array(chunk));
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Fields with which form libraries send a slice of a file: the number of slices, and the slice's index (Dropzone,
 * flow.js, Resumable.js, Plupload, Fine Uploader).
 */
const CHUNKING: readonly (readonly [total: string, index: string])[] = [
  ["dztotalchunkcount", "dzchunkindex"],
  ["flowTotalChunks", "flowChunkNumber"],
  ["resumableTotalChunks", "resumableChunkNumber"],
  ["chunks", "chunk"],
  ["qqtotalparts", "qqpartindex"],
];
const NAMES = new Set(CHUNKING.flat());

export function isChunkField(name: string): boolean {
  return NAMES.has(name);
}

/**
 * Refuses a slice, which would be stored as a broken file (UP-8). A form whose only slice is the whole file is
 * accepted.
 * @param fields the `isChunkField` fields by name
 * @throws ServiceError 400
 */
export function refuseSlice(fields: ReadonlyMap<string, string>): void {
  for (const [totalName, indexName] of CHUNKING) {
    const total = fields.get(totalName);
    // Plupload's index alone means nothing: other forms have a field of that name.
    const isSlice = total === undefined ? fields.has(indexName) && indexName !== "chunk" : Number(total) > 1;
    if (isSlice) throw ERRORS.ChunkedForm();
  }
}

/**
 * Refuses a request whose `Content-Range` (RFC 9110, 14.5) declares its body a slice.
 * @throws ServiceError 400
 */
export function refuseContentRange(contentRange: string | null): void {
  if (contentRange === null) return;
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange.trim());
  const isWhole = range !== null && Number(range[1]) === 0 && Number(range[2]) + 1 === Number(range[3]);
  if (!isWhole) throw ERRORS.ChunkedForm();
}
