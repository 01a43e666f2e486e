import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, previewPath, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { openSigner, PREVIEW_PARAMETER, type SignPreview } from "../../domain/preview-token.ts";
import type { AccountContext, Services } from "../context.ts";
import type { Upload } from "../records.ts";

const DAY_SECONDS = 86_400;
/** A view's URL is valid for at least an hour, and stays the same for half an hour, so that a repeated list is unchanged. */
const VIEW_VALID_SECONDS = 3600;
const VIEW_STEP_SECONDS = 1800;

/** URLs at which a session sees an upload without counting a view. Keys get none. */
export interface UncountedUrls {
  /** The URL of a tile's picture. It stays the same for a UTC day, so that browsers cache it. Null if the file has no picture (yet). */
  readonly previewUrl?: string | null;
  /** The URL of the file itself, valid for 60 to 90 minutes, so that it is no free CDN. */
  readonly viewUrl?: string;
}

/** @returns a function that signs an upload's URLs; it returns none if the caller is not a session */
export async function openPreviewUrls(account: AccountContext): Promise<(upload: Upload) => Promise<UncountedUrls>> {
  return account.principal.kind === "session" ? signUncountedUrls(account) : async () => ({});
}

/** @returns a function that signs an upload's URLs, also those of a private file */
export async function signUncountedUrls({
  config,
  now,
}: Pick<Services, "config" | "now">): Promise<(upload: Upload) => Promise<UncountedUrls>> {
  const { cdnUrl, apiOrigin, previewSecret } = config;
  const sign = await openSigner(previewSecret.current);
  const nowSeconds = Math.floor(now() / 1000);
  // Valid for the current and the next day, so that a URL from just before midnight still works for a day.
  const dayExpires = (Math.floor(nowSeconds / DAY_SECONDS) + 2) * DAY_SECONDS;
  const viewExpires = Math.ceil(nowSeconds / VIEW_STEP_SECONDS) * VIEW_STEP_SECONDS + VIEW_VALID_SECONDS;
  const previewUrlOf = async ({ accountId, objectKey, mimeType, thumbnailSizeBytes }: Upload) => {
    if (!isVideo(mimeType)) return signed(sign, apiOrigin, previewPath(objectKey), dayExpires);
    return thumbnailSizeBytes === null
      ? null
      : signed(sign, cdnUrl, thumbnailKey(accountId, versionOf(objectKey)), dayExpires);
  };
  return async (upload) => ({
    previewUrl: await previewUrlOf(upload),
    viewUrl: await signed(sign, cdnUrl, upload.objectKey, viewExpires),
  });
}

async function signed(sign: SignPreview, origin: string, key: string, expires: number): Promise<string> {
  return `${objectUrl(origin, key)}?${PREVIEW_PARAMETER}=${await sign(key, expires)}`;
}
