import type { CameraFacts } from "../../../domain/camera-facts.ts";
import { ERRORS } from "../../../domain/errors.ts";
import { newUploadId } from "../../../domain/ids.ts";
import { extensionOf, isVideo, type MediaType } from "../../../domain/media-types.ts";
import { fileKey, newVersion, toCleanFileName, toSafeFileName, versionOf } from "../../../domain/object-key.ts";
import type { StoredPlaceholder } from "../../../domain/placeholder.ts";
import { allowsType } from "../../../domain/upload-token.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import { readCameraFacts } from "../../../media/camera/read-camera-facts.ts";
import { findFarBox } from "../../../media/camera/read-far-film.ts";
import { describeUnsupported } from "../../../media/describe-unsupported.ts";
import { readHead, sniffMediaType } from "../../../media/first-bytes.ts";
import type { AccountContext } from "../../context.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { FileScrub, type FileSha256 } from "./scrub-and-hash.ts";

/** A file with an id and a key, before R2 has anything of it. */
export interface IdentifiedFile extends CameraFacts {
  readonly uploadId: string;
  /** Its path in URLs. `storedKey` is its key in R2. */
  readonly objectKey: string;
  readonly visibility: Visibility;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
  /** The position of the first box behind the first part, if that part of the film has no facts (`withFarFacts`). */
  readonly farBoxAt?: number | undefined;
}

/** A file whose bytes are in R2; its row is not written yet. */
export interface StoredFile extends IdentifiedFile, FileSha256 {
  readonly sizeBytes: number;
  /** Before compression. */
  readonly originalSizeBytes: number;
  /** The quality of the compression; null if the file is stored as uploaded. */
  readonly compressionQuality: number | null;
  /** Undefined until it is made. */
  readonly placeholder?: StoredPlaceholder | undefined;
}

interface FirstPart {
  readonly mimeType: MediaType;
  readonly part: HeldPart;
  /** Whether the part is the whole file. */
  readonly isWhole: boolean;
  readonly visibility: Visibility;
}

/**
 * The type of a file by its first bytes; the declared type is ignored (SVC-2).
 * @throws ServiceError 400 for an empty file, 415 for an unsupported type
 */
function requireMediaType({ head }: HeldPart): MediaType {
  if (head.length === 0) throw ERRORS.InvalidFile("The file is empty");
  const mimeType = sniffMediaType(head);
  if (mimeType === undefined) throw ERRORS.UnsupportedType(describeUnsupported(head));
  return mimeType;
}

/**
 * The type of a file that the caller may store.
 * @throws ServiceError as `requireMediaType`; 415 for a type that the upload token does not allow
 */
export function requireAllowedType({ principal }: AccountContext, part: HeldPart): MediaType {
  const mimeType = requireMediaType(part);
  if (principal.kind === "upload-token" && !allowsType(principal.limits, mimeType))
    throw ERRORS.TypeNotAllowed(mimeType, principal.limits.types);
  return mimeType;
}

/**
 * Gives a file its id, its key, its size in pixels and the facts that its camera wrote. The place is the one that the stored bytes will have.
 * @param knownId the id of a file that already has one
 * @throws ServiceError 400 for an image with nothing to show
 */
export function identifyFile(
  run: UploadRun,
  uploadedName: string,
  { mimeType, part, isWhole, visibility }: FirstPart,
  knownId?: string,
): IdentifiedFile {
  const { account } = run;
  const size = isVideo(mimeType) ? NO_SIZE : requireShown(mimeType, part, isWhole);
  const createdAt = account.now();
  const uploadId = knownId ?? account.importItem?.uploadId ?? newUploadId(createdAt, account.shard);
  const { replaces } = account;
  const keepsName = replaces !== undefined && uploadedName === "";
  const originalFilename = keepsName ? replaces.originalFilename : toCleanFileName(uploadedName, mimeType);
  const version = replaces === undefined ? uploadId : newVersion(replaces.id, uploadId);
  const objectKey = fileKey(account.accountId, version, toSafeFileName(originalFilename, mimeType));
  const facts = readCameraFacts(mimeType, part);
  // The stored bytes lose their place.
  const camera = FileScrub.begin(run, mimeType).isOn ? { ...facts, location: null } : facts;
  const farBoxAt = isWhole ? undefined : findFarBox(mimeType, part);
  return { uploadId, objectKey, visibility, originalFilename, mimeType, ...size, ...camera, createdAt, farBoxAt };
}

/** The file with another type, and its extension in the stored name. */
export function withType(accountId: string, file: IdentifiedFile, mimeType: MediaType): IdentifiedFile {
  if (mimeType === file.mimeType) return file;
  const stem = file.originalFilename.replace(/\.[A-Za-z0-9]{1,5}$/, "");
  const name = toSafeFileName(`${stem}.${extensionOf(mimeType)}`, mimeType);
  return { ...file, mimeType, objectKey: fileKey(accountId, versionOf(file.objectKey), name) };
}

const NO_SIZE = { width: 0, height: 0 };

interface Picture {
  readonly width: number;
  readonly height: number;
}

/** Reads more than the first bytes only if they are not enough, because that copies the part. */
function requireShown(mimeType: MediaType, part: HeldPart, isWhole: boolean): Picture {
  const isAll = part.head.length === part.length;
  const first = readHead(mimeType, part.head, isAll && isWhole);
  const saysEnough = isAll || first.shows === false || (first.shows === true && first.width > 0);
  const head = saysEnough ? first : (part.withWhole((bytes) => readHead(mimeType, bytes, isWhole)) ?? first);
  if (head.shows === false) throw ERRORS.InvalidFile("Nothing in the file can be read as an image");
  return { width: head.width, height: head.height };
}
