import { downloadUrl } from "../../domain/download-url.ts";
import { deriveServiceKey, signFile } from "../../domain/file-signature.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, previewPath, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { openSigner, PREVIEW_PARAMETER } from "../../domain/preview-token.ts";
import type { StoredShare } from "../../meter/books/share-store.ts";
import type { Services } from "../context.ts";
import type { Upload } from "../records.ts";

/** URLs of a page stay the same for half an hour, so that browsers keep its pictures, and end within an hour. */
const STEP_SECONDS = 30 * 60;

export interface SharedUrls {
  /** The file itself. Opening it is a view. */
  readonly url: string;
  readonly downloadUrl: string;
  /** The tile's picture, which does not count as a view. Null if the file has none (yet). */
  readonly previewUrl: string | null;
}

/** @returns a function that makes a file's URLs. A private file's are signed until the share ends, and for an hour at most (SHARE-5). */
export async function openSharedUrls(
  { config, now }: Pick<Services, "config" | "now">,
  { accountId, share }: { readonly accountId: string; readonly share: Pick<StoredShare, "expiresAt"> },
): Promise<(upload: Upload) => Promise<SharedUrls>> {
  const { apiOrigin, cdnUrl, previewSecret, urlSigningSecret } = config;
  const step = (Math.floor(now() / 1000 / STEP_SECONDS) + 2) * STEP_SECONDS;
  const expires = Math.min(step, Math.floor((share.expiresAt ?? Number.POSITIVE_INFINITY) / 1000));
  const [signPreview, key] = await Promise.all([
    openSigner(previewSecret.current),
    deriveServiceKey(urlSigningSecret.current, accountId),
  ]);
  const preview = async (origin: string, path: string) =>
    `${objectUrl(origin, path)}?${PREVIEW_PARAMETER}=${await signPreview(path, expires)}`;
  const previewUrlOf = async ({ mimeType, objectKey, thumbnailSizeBytes }: Upload) => {
    if (!isVideo(mimeType)) return preview(apiOrigin, previewPath(objectKey));
    return thumbnailSizeBytes === null ? null : preview(cdnUrl, thumbnailKey(accountId, versionOf(objectKey)));
  };
  return async (upload) => {
    const signature =
      upload.visibility === "private" ? await signFile(key, { accountId, uploadId: upload.id, expires }) : undefined;
    const signed = (url: string) => (signature === undefined ? url : url + (url.includes("?") ? "&" : "?") + signature);
    return {
      url: signed(objectUrl(cdnUrl, upload.objectKey)),
      downloadUrl: signed(downloadUrl(cdnUrl, upload)),
      previewUrl: await previewUrlOf(upload),
    };
  };
}
