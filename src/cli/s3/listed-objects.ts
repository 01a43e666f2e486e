export interface S3Object {
  readonly key: string;
  readonly sizeBytes: number;
  /** Changes with the content. Without quotes. */
  readonly etag: string;
  /** ISO 8601. */
  readonly lastModified: string;
}

export interface ObjectPage {
  readonly objects: readonly S3Object[];
  /** Set if there are more. */
  readonly nextToken?: string;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Reads an answer of `ListObjectsV2`. Not every server escapes keys as URLs when asked to, so its answer says whether it did.
 * @throws Error if it is no such answer
 */
export function listedObjects(xml: string): ObjectPage {
  if (!xml.includes("<ListBucketResult")) throw new Error("the bucket sent no listing");
  const isUrlEncoded = fieldOf(xml, "EncodingType") === "url";
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => {
    const key = fieldOf(entry, "Key") ?? "";
    return {
      key: isUrlEncoded ? decodeURIComponent(key.replaceAll("+", " ")) : key,
      sizeBytes: Number(fieldOf(entry, "Size")),
      etag: (fieldOf(entry, "ETag") ?? "").replaceAll('"', ""),
      lastModified: fieldOf(entry, "LastModified") ?? "",
    };
  });
  const nextToken = fieldOf(xml, "NextContinuationToken");
  return { objects, ...(nextToken !== undefined && { nextToken }) };
}

function fieldOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, named) => {
    if (named !== undefined) return NAMED[named] ?? all;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
