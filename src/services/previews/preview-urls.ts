import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, previewPath, thumbnailKey } from "../../domain/object-key.ts";
import { openSigner, PREVIEW_PARAMETER, type SignPreview } from "../../domain/preview-token.ts";
import type { AccountContext } from "../context.ts";
import type { Upload } from "../records.ts";

const DAY_SECONDS = 86_400;
const VIEW_VALID_SECONDS = 3600;

/** The addresses of what a person may look at without being counted. A key has none. */
export interface PreviewUrls {
  /** Of a tile: the same all through a UTC day, so that browsers have it in their cache. Null where there is none (yet). */
  previewUrlOf(upload: Upload): Promise<string | null>;
  /** Of the file itself, for an hour, so that it is no free CDN. */
  viewUrlOf(upload: Upload): Promise<string>;
}

/** @returns undefined for whoever is not a person in a session */
export async function openPreviewUrls(account: AccountContext): Promise<PreviewUrls | undefined> {
  if (account.principal.kind !== "session") return undefined;
  const { cdnUrl, apiOrigin, previewSecret } = account.config;
  const sign = await openSigner(previewSecret);
  const nowSeconds = Math.floor(account.now() / 1000);
  // Valid through the day and the next, so that what was asked for at midnight works for a day, too.
  const dayExpires = (Math.floor(nowSeconds / DAY_SECONDS) + 2) * DAY_SECONDS;
  return {
    async previewUrlOf({ accountId, id, objectKey, mimeType, thumbnailSizeBytes }) {
      if (!isVideo(mimeType)) return signed(sign, apiOrigin, previewPath(objectKey), dayExpires);
      return thumbnailSizeBytes === null ? null : signed(sign, cdnUrl, thumbnailKey(accountId, id), dayExpires);
    },
    viewUrlOf: ({ objectKey }) => signed(sign, cdnUrl, objectKey, nowSeconds + VIEW_VALID_SECONDS),
  };
}

async function signed(sign: SignPreview, origin: string, key: string, expires: number): Promise<string> {
  return `${objectUrl(origin, key)}?${PREVIEW_PARAMETER}=${await sign(key, expires)}`;
}
