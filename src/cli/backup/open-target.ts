import { openFolder } from "./folder-target.ts";
import { openS3 } from "./s3-target.ts";
import type { Target } from "./target.ts";

const S3_URL = /^s3:\/\/([^/]+)(?:\/(.*))?$/;

/**
 * Opens the target of a backup: `s3://BUCKET/PREFIX`, or a folder. Buckets take the endpoint and the key from the variables that other
 * S3 tools read.
 * @throws Error that names a missing variable
 */
export function openTarget(text: string, env: NodeJS.ProcessEnv): Target {
  const [, bucket, prefix = ""] = S3_URL.exec(text) ?? [];
  if (bucket === undefined) return openFolder(text);
  const get = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  return openS3({
    bucket,
    prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
    endpoint: get("AWS_ENDPOINT_URL_S3"),
    accessKeyId: get("AWS_ACCESS_KEY_ID"),
    secretAccessKey: get("AWS_SECRET_ACCESS_KEY"),
    region: env.AWS_REGION || "auto",
  });
}
