import type { UploadStatus } from "../../domain/upload-status.ts";

/** The paths of the library and the trash, and those of a file in them; without the dashboard's own part. */
export const LIBRARY_PATH = /^\/(library|trash)(?:\/([^/]+))?$/;

/** @returns what such a path shows: the files, and the id of the one that is open; undefined for the path of another page */
export function parseLibraryPath(path: string): { status: UploadStatus; openId: string | undefined } | undefined {
  const found = LIBRARY_PATH.exec(path);
  if (found === null) return undefined;
  return { status: found[1] === "trash" ? "trash" : "active", openId: found[2] };
}
