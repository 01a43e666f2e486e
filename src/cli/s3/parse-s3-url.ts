import type { BucketOptions } from "./bucket.ts";

const S3_URL = /^s3:\/\/([^/]+)(?:\/(.*))?$/;

export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** @returns undefined if the text is not `s3://BUCKET/PREFIX` */
export function parseS3Url(text: string): S3Place | undefined {
  const [, bucket, prefix = ""] = S3_URL.exec(text) ?? [];
  return bucket === undefined
    ? undefined
    : { bucket, prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/` };
}

/** The endpoint and the key, from the variables that other S3 tools read. @throws Error that names a missing variable */
export function readBucketOptions(
  bucket: string,
  env: Readonly<Record<string, string | undefined>>,
  endpoint?: string,
): BucketOptions {
  const get = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  return {
    bucket,
    endpoint: endpoint ?? get("AWS_ENDPOINT_URL_S3"),
    accessKeyId: get("AWS_ACCESS_KEY_ID"),
    secretAccessKey: get("AWS_SECRET_ACCESS_KEY"),
    ...(env.AWS_SESSION_TOKEN ? { sessionToken: env.AWS_SESSION_TOKEN } : {}),
    region: env.AWS_REGION || "auto",
  };
}
