/** A file that the operator took down. An empty object with this mark replaces it, and another one replaces its thumbnail. */

/** The mark's name in R2's custom metadata. Its value is the takedown's id. */
const MARK = "takedown";
const STORED_HASH = "stored-sha256";
/** The SHA-256 of the bytes as they were uploaded, in the metadata of compressed images and of files that lost metadata. */
export const UPLOADED_HASH = "uploaded-sha256";

/** A takedown as its owner sees it, in the row of the upload. */
export interface Takedown {
  readonly id: string;
  readonly at: number;
  readonly reason: string;
}

/** SHA-256 of a file's bytes, hexadecimal; undefined if unknown. */
export interface FileHashes {
  readonly stored?: string | undefined;
  /** The hash of the uploaded bytes, if the file was compressed or lost metadata. */
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

/** Whether this takedown's mark has replaced the file. */
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

/** R2 stores at most this many bytes in one call. The bytes of larger files are neither kept nor hashed at a takedown. */
export const MAX_KEPT_BYTES = 4_900_000_000;
