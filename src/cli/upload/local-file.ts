import type { Stats } from "node:fs";

/** Where a file is. Linux has names that are no UTF-8, which only their bytes can open. */
export type FilePath = string | Buffer;

/** A file to upload. */
export interface LocalFile {
  readonly path: FilePath;
  /** As people see it. */
  readonly shownPath: string;
  /** What it is called on the service. */
  readonly name: string;
  readonly stats: Stats;
}

/** What is there and cannot be uploaded. */
export interface Unusable {
  readonly shownPath: string;
  readonly reason: string;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** What old disks have, if not UTF-8. */
const western = new TextDecoder("windows-1252");

/** @returns the text of a name, and whether it stands for these bytes exactly */
export function decodeName(bytes: Buffer): { readonly text: string; readonly isExact: boolean } {
  try {
    return { text: strict.decode(bytes), isExact: true };
  } catch {
    return { text: western.decode(bytes), isExact: false };
  }
}

/** What went wrong with a file, in a few words. */
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
