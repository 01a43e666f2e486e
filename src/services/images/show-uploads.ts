import type { AccountContext } from "../context.ts";
import { signUncountedUrls } from "../previews/preview-urls.ts";
import type { Upload } from "../records.ts";
import { toMediaObject } from "./to-media-object.ts";

type MediaObject = ReturnType<typeof toMediaObject>;

/** The media objects of a page of uploads; a session's have its uncounted URLs. */
export async function showUploads(account: AccountContext, uploads: readonly Upload[]): Promise<MediaObject[]> {
  const { cdnUrl } = account.config;
  if (account.principal.kind !== "session") return uploads.map((upload) => toMediaObject(upload, cdnUrl));
  const urlsOf = await signUncountedUrls(account);
  return Promise.all(uploads.map(async (upload) => toMediaObject(upload, cdnUrl, await urlsOf(upload))));
}
