import { parseS3Url, readBucketOptions } from "../s3/parse-s3-url.ts";
import { openFolder } from "./folder-target.ts";
import { openS3 } from "./s3-target.ts";
import type { Target } from "./target.ts";

/**
 * Opens the target of a backup: `s3://BUCKET/PREFIX`, or a folder. Buckets take the endpoint and the key from the variables that other
 * S3 tools read.
 * @throws Error that names a missing variable
 */
export function openTarget(text: string, env: NodeJS.ProcessEnv): Target {
  const place = parseS3Url(text);
  return place === undefined ? openFolder(text) : openS3(readBucketOptions(place.bucket, env), place.prefix);
}
