import { ERRORS } from "../../domain/errors.ts";
import { deriveServiceKey, signFile } from "../../domain/file-signature.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import type { AccountContext } from "../context.ts";
import { getOwnUpload } from "./get-own-upload.ts";

export interface SignedUrls {
  readonly url: string;
  /** Null for an image. */
  readonly thumbnailUrl: string | null;
  readonly expiresAt: number;
}

/**
 * URLs that open a private file for some time (PRIV-3). Nothing is stored, so such a URL cannot be taken back before its end.
 * @throws ServiceError 403 and 404 for the upload
 */
export async function signImage(
  account: AccountContext,
  uploadId: string,
  expiresInSeconds: number,
): Promise<SignedUrls> {
  const { accountId, config } = account;
  const { objectKey, mimeType } = await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  const expires = Math.floor(account.now() / 1000) + expiresInSeconds;
  const key = await deriveServiceKey(config.urlSigningSecret.current, accountId);
  const query = await signFile(key, { accountId, uploadId, expires });
  const toUrl = (path: string) => `${objectUrl(config.cdnUrl, path)}?${query}`;
  return {
    url: toUrl(objectKey),
    thumbnailUrl: isVideo(mimeType) ? toUrl(thumbnailKey(accountId, versionOf(objectKey))) : null,
    expiresAt: expires * 1000,
  };
}
