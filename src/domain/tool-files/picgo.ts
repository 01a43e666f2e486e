import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/** PicGo's configuration for its plug-in web-uploader. Typora, Obsidian and VS Code upload through PicGo. */
export const picgoFile: ToolFile = {
  name: "picgo",
  filename: "picgo.json",
  mediaType: "application/json",
  title: "PicGo, PicList, Typora, Obsidian",
  help: "Replace YOUR_KEY, and save the file as ~/.picgo/config.json; then run: picgo install web-uploader",
  make: (baseUrl) =>
    `${JSON.stringify(
      {
        picBed: {
          uploader: "web-uploader",
          current: "web-uploader",
          "web-uploader": {
            url: `${baseUrl}/images/upload`,
            paramName: "file",
            jsonPath: "url",
            customHeader: JSON.stringify({ Authorization: `Bearer ${KEY_PLACEHOLDER}` }),
            customBody: "{}",
          },
        },
        picgoPlugins: { "picgo-plugin-web-uploader": true },
      },
      null,
      2,
    )}\n`,
};
