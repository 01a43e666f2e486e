import { createHash } from "node:crypto";
import { MediaHostError } from "../../client/index.ts";
import { readMetadata } from "../../domain/upload-facts.ts";
import { MAX_WEBHOOK_URL_CHARACTERS } from "../../domain/webhook-url.ts";
import type { Bucket } from "../s3/bucket.ts";
import type { S3Object } from "../s3/listed-objects.ts";
import { hasMediaExtension } from "../upload/find-files.ts";
import type { FolderMaker } from "./folder-maker.ts";
import type { NamedItem } from "./to-batches.ts";

interface BucketImport {
  readonly bucket: Bucket;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly folders: FolderMaker;
  readonly withAll: boolean;
  readonly signal: AbortSignal;
  readonly onSkip: (key: string, reason: string) => void;
  readonly onFailed: (key: string, reason: string) => void;
}

/**
 * The objects of a bucket as items of an import, with URLs that are signed for a day. The `externalId` is a digest of the object's place
 * and ETag, so that the same version of an object is stored once, however often it is imported.
 */
export async function* bucketItems({ bucket, prefix, ...given }: BucketImport): AsyncGenerator<NamedItem> {
  const { folders, withAll, signal, onSkip, onFailed } = given;
  for await (const object of bucket.list(prefix, signal)) {
    const { key } = object;
    const parts = key.slice(prefix.length).split("/");
    const filename = parts.pop() ?? "";
    if (filename === "") continue;
    if (!withAll && !hasMediaExtension(filename)) {
      onSkip(key, "neither image nor video by its name; --all takes it");
      continue;
    }
    // URLs lose these segments.
    if (key.split("/").some((part) => part === "." || part === "..")) {
      onFailed(key, 'a key with "." or ".." has no URL');
      continue;
    }
    const url = await bucket.presign(key);
    if (url.length > MAX_WEBHOOK_URL_CHARACTERS) {
      onFailed(key, `its signed URL is longer than ${MAX_WEBHOOK_URL_CHARACTERS} characters`);
      continue;
    }
    const metadata = factsOf(object);
    const reading = readMetadata(metadata);
    if ("problem" in reading) {
      onFailed(key, `its key is too long: ${reading.problem}`);
      continue;
    }
    try {
      const folderId = await folders.make(parts.filter((part) => part !== "").join("/"));
      yield {
        name: key,
        item: { url, filename, folderId, externalId: idOf(bucket, object), metadata },
      };
    } catch (error) {
      if (!(error instanceof MediaHostError) || error.statusCode !== 400) throw error;
      onFailed(key, `its folder cannot be created: ${error.message}`);
    }
  }
}

function idOf({ url }: Bucket, { key, etag }: S3Object): string {
  return `s3:${createHash("sha256").update(`${url}\n${key}\n${etag}`).digest("hex")}`;
}

function factsOf({ key, etag, lastModified }: S3Object): Record<string, string> {
  return { s3Key: key, s3ETag: etag, lastModified };
}
