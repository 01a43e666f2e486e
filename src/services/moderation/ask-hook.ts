import type { Upload } from "../../db/library/schema.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { PREVIEW_PARAMETER, signPreview } from "../../domain/preview-token.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";
import { readHashes } from "../../domain/takedown.ts";
import type { Services } from "../context.ts";
import type { ModerationConfig } from "../read-config.ts";
import { askWebhook } from "../webhooks/post-webhook.ts";
import { parseVerdict, type Verdict } from "./verdict.ts";

/** The hook may pass the picture's URL to a queue of its own. */
const READ_URL_SECONDS = 60 * 60;
/** Standard Webhooks: at least 24 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** Asks the hook about an upload whose file is stored. @throws Error if there is no verdict: a retry may get one */
export type AskHook = (upload: Upload, object: R2Object) => Promise<Verdict>;

/** The installation's moderation hook; undefined if it has none. */
export function openHook({ config, now }: Pick<Services, "config" | "now">): AskHook | undefined {
  const { moderation, webhooks, previewSecret } = config;
  if (moderation === undefined) return undefined;
  return async (upload, object) => {
    requireWhole(moderation);
    const message = {
      id: `msg_${upload.id}`,
      body: JSON.stringify({
        type: "upload.moderation",
        timestamp: new Date(now()).toISOString(),
        data: await toQuestion(upload, object, { filesUrl: moderation.filesUrl, previewSecret, now: now() }),
      }),
    };
    const { error, status, answer } = await askWebhook(webhooks, moderation, message, now());
    if (error !== null) throw new Error(`The moderation hook failed: ${error}${status === null ? "" : ` ${status}`}`);
    const verdict = parseVerdict(answer ?? "");
    if (verdict === undefined) throw new Error("The moderation hook's answer is no verdict");
    return verdict;
  };
}

/** @throws Error that names the missing variable */
function requireWhole({ secrets, filesUrl }: ModerationConfig): void {
  if (!secrets.every((secret) => SECRET.test(secret)))
    throw new Error("MODERATION_SECRET is missing, or not whsec_ and 24 bytes or more in Base64");
  if (filesUrl === "") throw new Error("CDN_URL and PUBLIC_URL are empty, so the moderation hook would get no URL");
}

interface UrlFacts {
  readonly filesUrl: string;
  readonly previewSecret: SecretPair;
  readonly now: number;
}

/** The facts of an upload. `readUrl` shows the picture to judge. It ignores the account's hotlink rules and counts no view. */
async function toQuestion(upload: Upload, object: R2Object, { filesUrl, previewSecret, now }: UrlFacts) {
  const { id: uploadId, accountId, objectKey, mimeType, sizeBytes, width, height } = upload;
  const pictureKey = isVideo(mimeType) ? thumbnailKey(accountId, versionOf(objectKey)) : objectKey;
  const expires = Math.ceil(now / 1000) + READ_URL_SECONDS;
  const token = await signPreview(previewSecret.current, pictureKey, expires);
  return {
    uploadId,
    accountId,
    mimeType,
    fileSize: sizeBytes,
    size: { width, height },
    url: objectUrl(filesUrl, objectKey),
    thumbnailUrl: isVideo(mimeType) ? objectUrl(filesUrl, pictureKey) : null,
    readUrl: `${objectUrl(filesUrl, pictureKey)}?${PREVIEW_PARAMETER}=${token}`,
    ...toHashes(upload, object),
  };
}

/** SHA-256 in hexadecimal; null if unknown. The row of an older file has no hashes; its object may have the one of the uploaded bytes. */
function toHashes({ sha256, uploadedSha256 }: Upload, object: R2Object) {
  return { sha256, uploadedSha256: uploadedSha256 ?? readHashes(object).uploaded ?? null };
}
