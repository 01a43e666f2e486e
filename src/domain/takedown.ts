/** A file that the operator took down. An empty object with this mark is in its place, and another in its thumbnail's. */

/** The mark's name in R2's custom metadata. Its value is the takedown's id. */
const MARK = "takedown";
const STORED_HASH = "stored-sha256";
/** Also in the metadata of compressed images and of files that lost metadata: the SHA-256 of the bytes as they were uploaded. */
export const UPLOADED_HASH = "uploaded-sha256";

/** The owner's view of a takedown, in the row of the upload. */
export interface Takedown {
  readonly id: string;
  readonly at: number;
  readonly reason: string;
}

/** SHA-256 of a file's bytes, hexadecimal; undefined if unknown. */
export interface FileHashes {
  readonly stored?: string | undefined;
  /** Of the uploaded bytes, if those were compressed or lost metadata. */
  readonly uploaded?: string | undefined;
}

type Marked = Pick<R2Object, "customMetadata">;

/** The custom metadata of an object in a taken-down file's place. */
export function toMark(takedownId: string, { stored, uploaded }: FileHashes = {}): Record<string, string> {
  return {
    [MARK]: takedownId,
    ...(stored === undefined ? {} : { [STORED_HASH]: stored }),
    ...(uploaded === undefined ? {} : { [UPLOADED_HASH]: uploaded }),
  };
}

export function isTakenDown({ customMetadata }: Marked): boolean {
  return customMetadata?.[MARK] !== undefined;
}

/** Whether this takedown's mark is in the file's place. */
export function isMarkOf({ customMetadata }: Marked, takedownId: string): boolean {
  return customMetadata?.[MARK] === takedownId;
}

/** The hashes that a file's or mark's metadata hold. */
export function readHashes({ customMetadata }: Marked): FileHashes {
  return { stored: customMetadata?.[STORED_HASH], uploaded: customMetadata?.[UPLOADED_HASH] };
}

/** The key of the bytes that a takedown keeps. The CDN serves nothing below this prefix. */
export function quarantineKey(takedownId: string): string {
  return `quarantine/${takedownId}`;
}

/** R2 stores at most this many bytes in one call. Larger files are taken down without their bytes being kept or hashed. */
export const MAX_KEPT_BYTES = 4_900_000_000;
