import { picgoFile } from "../../../domain/tool-files/picgo.ts";
import { sharexFile } from "../../../domain/tool-files/sharex.ts";
import { KEY_PLACEHOLDER, type ToolFile } from "../../../domain/tool-files/tool-file.ts";

export interface SnippetInput {
  /** The service's address without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
}

/** A configuration file of another program. It contains the key, so the browser makes it while the key is shown. */
export interface ConfigFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly text: string;
}

/** A file of `GET /tools` with the key filled in. */
export function toConfigFile(file: ToolFile, { baseUrl, key }: SnippetInput): ConfigFile {
  const text = file.make(baseUrl).replaceAll(KEY_PLACEHOLDER, key);
  return { filename: file.filename, mimeType: file.mediaType, text };
}

export function toShareX(input: SnippetInput): ConfigFile {
  return toConfigFile(sharexFile, input);
}

export function toPicGo(input: SnippetInput): ConfigFile {
  return toConfigFile(picgoFile, input);
}
