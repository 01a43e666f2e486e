import type { UploadStatus } from "../../../domain/upload-status.ts";

/** The paths of the library, the trash, and a file in them, without the dashboard's base. */
export const LIBRARY_PATH = /^\/(library|trash)(?:\/([^/]+))?$/;

/** @returns the status of the files and the id of the open file; undefined for another page's path */
export function parseLibraryPath(path: string): { status: UploadStatus; openId: string | undefined } | undefined {
  const found = LIBRARY_PATH.exec(path);
  if (found === null) return undefined;
  return { status: found[1] === "trash" ? "trash" : "active", openId: found[2] };
}
