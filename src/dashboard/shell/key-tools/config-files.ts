import type { SnippetInput } from "./snippets.ts";

/** A file that sets another program up. It holds the key, so it is made in the browser at the moment in which the key is shown. */
export interface ConfigFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly text: string;
}

/** ShareX 12.3.1 and older refuse a file that says no version, or a newer one than they are. */
const SHAREX_VERSION = "15.0.0";

/**
 * ShareX's custom uploader: opening the file sets it up. It has no DeletionURL, which ShareX opens with GET: a GET deletes nothing.
 * A key holds none of the signs `{ } % \`, which ShareX would take for its own.
 */
export function toShareX({ baseUrl, key }: SnippetInput): ConfigFile {
  const config = {
    Version: SHAREX_VERSION,
    Name: "Media host",
    DestinationType: "ImageUploader, FileUploader",
    RequestMethod: "POST",
    RequestURL: `${baseUrl}/images/upload`,
    Headers: { Authorization: `Bearer ${key}` },
    Body: "MultipartFormData",
    FileFormName: "file",
    URL: "{json:url}",
    ThumbnailURL: "{json:thumbnailUrl}",
    ErrorMessage: "{json:error}",
  };
  return { filename: "media-host.sxcu", mimeType: "application/json", text: toText(config) };
}

/** PicGo with its plugin web-uploader; PicList, and through either Obsidian and Typora, take the same. */
export function toPicGo({ baseUrl, key }: SnippetInput): ConfigFile {
  const uploader = {
    url: `${baseUrl}/images/upload`,
    paramName: "file",
    jsonPath: "url",
    customHeader: JSON.stringify({ Authorization: `Bearer ${key}` }),
    customBody: "{}",
  };
  const config = {
    picBed: { uploader: "web-uploader", current: "web-uploader", "web-uploader": uploader },
    picgoPlugins: { "picgo-plugin-web-uploader": true },
  };
  return { filename: "picgo-config.json", mimeType: "application/json", text: toText(config) };
}

function toText(config: object): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}
