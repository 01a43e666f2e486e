import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/**
 * ShareX's custom uploader. ShareX itself refuses versions before 12.4; versions up to 13.7.1 have another syntax.
 * There is no `DeletionURL`: ShareX opens it with GET, and a GET deletes nothing.
 */
export const sharexFile: ToolFile = {
  name: "sharex",
  filename: "media-host.sxcu",
  mediaType: "application/json",
  title: "ShareX",
  help: "Replace YOUR_KEY, and open the file: ShareX asks whether to use it for images.",
  make: (baseUrl) =>
    `${JSON.stringify(
      {
        Version: "15.0.0",
        Name: "Media host",
        DestinationType: "ImageUploader, FileUploader",
        RequestMethod: "POST",
        RequestURL: `${baseUrl}/images/upload`,
        Headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` },
        Body: "MultipartFormData",
        FileFormName: "file",
        URL: "{json:url}",
        ThumbnailURL: "{json:thumbnailUrl}",
        ErrorMessage: "{json:error}",
      },
      null,
      2,
    )}\n`,
};
