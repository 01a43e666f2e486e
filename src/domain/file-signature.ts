import { hmac, type SigningKey } from "./variants/signed-url.ts";

/**
 * Signatures that open private files (PRIV-3): `exp=<Unix seconds>&sig=<key id>.<mac>`, the HMAC-SHA-256 of the account, the upload and the
 * end. The name is not signed, so one signature opens the file, its thumbnail and its variants. The client's helpers use this file, too.
 */

export const EXPIRES_PARAMETER = "exp";
export const FILE_SIGNATURE_PARAMETER = "sig";

/** The time for which the service signs, in seconds. */
export const DEFAULT_SIGNED_SECONDS = 60 * 60;
export const MAX_SIGNED_SECONDS = 7 * 24 * 60 * 60;

/** The upload that a signature opens, and until when (Unix seconds). */
export interface SignedFile {
  readonly accountId: string;
  readonly uploadId: string;
  readonly expires: number;
}

/**
 * The service's own key for an account's files. Its id is the account's, which no signing key has, so the account's rules need not list it.
 * @param serviceSecret `URL_SIGNING_SECRET`
 */
export async function deriveServiceKey(serviceSecret: string, accountId: string): Promise<SigningKey> {
  return { id: accountId, secret: await hmac(serviceSecret, `file-key\n${accountId}`) };
}

/** The parameters that open a private file, for the end of a query. */
export async function signFile(key: SigningKey, file: SignedFile): Promise<string> {
  const signature = `${key.id}.${await hmac(key.secret, signedFileText(file))}`;
  return `${EXPIRES_PARAMETER}=${file.expires}&${FILE_SIGNATURE_PARAMETER}=${signature}`;
}

/** The first word differs from the text of a variant's signature, because the same keys sign both. */
export function signedFileText({ accountId, uploadId, expires }: SignedFile): string {
  return `file\n${accountId}\n${uploadId}\n${expires}`;
}
