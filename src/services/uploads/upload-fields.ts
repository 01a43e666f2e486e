import { folderExists } from "../../db/queries/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { normalizeTags } from "../../domain/tags.ts";
import type { MultipartPart } from "../../media/multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";

const MAX_FIELD_BYTES = 16 * 1024;

/** The request's text fields; they hold for every file of it, before or behind them. */
export interface UploadFields {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
}

export const NO_FIELDS: UploadFields = { folderId: null, tags: [] };

/**
 * Reads one text field. Fields that are not known are skipped, as forms carry all kinds of them.
 * @throws ServiceError 400 for a malformed value, 404 for a folder that the account does not have
 */
export async function readUploadField(
  account: AccountContext,
  part: MultipartPart,
  fields: UploadFields,
): Promise<UploadFields> {
  if (part.name !== "folderId" && part.name !== "tags") return fields;
  const value = await readText(part);
  if (part.name === "tags") return { ...fields, tags: normalizeTags([...fields.tags, ...value.split(",")]) };
  const folderId = value.trim();
  if (folderId === "" || folderId === "root") return { ...fields, folderId: null };
  if (!isId(folderId) || !(await folderExists(account.db, account.accountId, folderId))) throw ERRORS.FolderNotFound();
  return { ...fields, folderId };
}

async function readText(part: MultipartPart): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await part.read(); chunk !== undefined; chunk = await part.read()) {
    length += chunk.length;
    if (length > MAX_FIELD_BYTES) throw ERRORS.InvalidRequest({ [part.name]: "The value is too long" });
    // A copy, as the chunk is valid until the next read only (`slice` would not copy a Buffer).
    chunks.push(new Uint8Array(chunk));
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
