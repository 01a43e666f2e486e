import { picgoFile } from "../../../domain/tool-files/picgo.ts";
import { sharexFile } from "../../../domain/tool-files/sharex.ts";
import { KEY_PLACEHOLDER, type ToolFile } from "../../../domain/tool-files/tool-file.ts";
import type { SnippetInput } from "./snippets.ts";

/** A file that sets another program up. It holds the key, so it is made in the browser at the moment in which the key is shown. */
export interface ConfigFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly text: string;
}

/** One of the files of `GET /tools`, with the key in its place. */
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
