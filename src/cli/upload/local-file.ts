import type { Stats } from "node:fs";

/** A file's path. Linux allows names that are not UTF-8; only their bytes open such files. */
export type FilePath = string | Buffer;

/** A file to upload. */
export interface LocalFile {
  readonly path: FilePath;
  /** The path as text. */
  readonly shownPath: string;
  /** The file's name on the service. */
  readonly name: string;
  readonly stats: Stats;
}

/** A file that cannot be uploaded. */
export interface Unusable {
  readonly shownPath: string;
  readonly reason: string;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** The encoding of names on old disks. */
const western = new TextDecoder("windows-1252");

/** @returns the text of a name, and whether it stands for these bytes exactly */
export function decodeName(bytes: Buffer): { readonly text: string; readonly isExact: boolean } {
  try {
    return { text: strict.decode(bytes), isExact: true };
  } catch {
    return { text: western.decode(bytes), isExact: false };
  }
}

/** The reason of a file's failure in a few words. */
export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "it may not be read";
    case "ELOOP":
      return "its links go round in a circle";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
