import { htmlFile } from "./html.ts";
import { picgoFile } from "./picgo.ts";
import { scriptFile } from "./script.ts";
import { sharexFile } from "./sharex.ts";
import { shortcutFile } from "./shortcut.ts";
import type { ToolFile } from "./tool-file.ts";
import { uppyFile } from "./uppy.ts";

/** Configuration files with which other programs upload to this service. */
export const TOOL_FILES: readonly ToolFile[] = [sharexFile, picgoFile, scriptFile, shortcutFile, htmlFile, uppyFile];

export function findToolFile(name: string): ToolFile | undefined {
  return TOOL_FILES.find((file) => file.name === name);
}
