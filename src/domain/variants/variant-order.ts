import { isId } from "../ids.ts";
import { isMediaType } from "../media-types.ts";
import { parseObjectKey, toPath, variantsPrefix, versionOf } from "../object-key.ts";
import { posterName, type Variant, variantName } from "./variant.ts";

/** An order for the media processor to make an object of an upload: a variant that is too large for the Codec Worker, or a video's frame. */
export interface VariantOrdered {
  readonly type: "variant.ordered";
  readonly accountId: string;
  readonly uploadId: string;
  /** The R2 key of the upload's file or thumbnail. Without that object, no variant may stay. */
  readonly fileKey: string;
  /** The object that is read: the file, or a video's frame. */
  readonly sourceKey: string;
  readonly mimeType: string;
  /** The key of the object to be stored. */
  readonly objectKey: string;
  /** A variant, or the time of a video's frame. */
  readonly make: Variant | { readonly posterMs: number };
}

/** The description of a made object. Its bytes are passed separately. */
export interface MadeObject {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Whether the variant shows the first frame of an animation. */
  readonly isFirstFrame: boolean;
}

/** Stores the objects of one upload that the media processor made. */
export interface VariantKeeper {
  /**
   * Stores an object, and checks before and afterwards that the file exists.
   * @returns `gone` if the file is deleted or taken down: then nothing stays
   */
  keep(order: VariantOrdered, made: MadeObject, body: ReadableStream<Uint8Array>): Promise<"kept" | "gone">;
  /** The object cannot be made. */
  decline(order: VariantOrdered): Promise<void>;
  /**
   * The media processor has tried the order.
   * @param seconds the time of the try; at the first try without `MAX_ORDER_SECONDS`, which the order took in advance
   */
  settle(order: VariantOrdered, seconds: number): Promise<void>;
}

/** Whether the fields of a message name one upload's own objects. */
export function isVariantOrder(fields: Partial<Record<string, unknown>>): boolean {
  const { accountId, uploadId, fileKey, sourceKey, mimeType, objectKey, make } = fields;
  if (typeof accountId !== "string" || !isId(accountId) || typeof uploadId !== "string" || !isId(uploadId))
    return false;
  const isOurs = (key: unknown): key is string => {
    const named = typeof key === "string" ? parseObjectKey(toPath(key).path) : undefined;
    return named?.accountId === accountId && named.uploadId === uploadId;
  };
  if (!isOurs(fileKey)) return false;
  const prefix = variantsPrefix(accountId, versionOf(toPath(fileKey).path));
  const isMade = (key: unknown): key is string => typeof key === "string" && key.startsWith(prefix);
  if (!(isOurs(sourceKey) || isMade(sourceKey)) || !isMade(objectKey)) return false;
  if (typeof mimeType !== "string" || !isMediaType(mimeType) || typeof make !== "object" || make === null) return false;
  const name = toPath(objectKey.slice(prefix.length)).path;
  if ("posterMs" in make) return typeof make.posterMs === "number" && name === posterName(make.posterMs);
  return name.replace(/^thumb-/, "") === nameOf(make);
}

/** Undefined for an object that is not a variant. */
function nameOf(make: object): string | undefined {
  try {
    return variantName(make as Variant);
  } catch {
    return undefined;
  }
}
