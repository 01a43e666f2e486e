import type { Client } from "../../client/index.ts";
import { UsageError } from "../command-line/failures.ts";
import { findFolderId } from "../library/find-folder.ts";
import { findId } from "../library/read-ids.ts";
import { ToolError } from "./failed-result.ts";

/** @returns the id in an argument @throws ToolError */
export function getId(text: string): string {
  const id = findId(text.trim());
  if (id === undefined) throw new ToolError("image_not_found", `"${text}" is neither a file's _id nor its URL`);
  return id;
}

/** @returns the folder's id; null is Root @throws ToolError if there is no such folder, or several */
export async function getFolderId(host: Client, text: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await findFolderId(host, text, signal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new ToolError("folder_not_found", `${error.message.replace(/ \(.*\)$/, "")}; list_folders lists them`);
  }
}
