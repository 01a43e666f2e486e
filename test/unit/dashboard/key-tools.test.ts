import { describe, expect, it } from "vitest";
import { toConfigFile, toPicGo, toShareX } from "../../../src/dashboard/shell/key-tools/config-files.ts";
import { toSnippets } from "../../../src/dashboard/shell/key-tools/snippets.ts";
import { TOOL_FILES } from "../../../src/domain/tool-files/index.ts";
import { scriptFile } from "../../../src/domain/tool-files/script.ts";

const INPUT = { baseUrl: "https://media.example", key: "service_live_abc" };

describe("Key snippets", () => {
  it("Every snippet contains the endpoint and the key", () => {
    const snippets = toSnippets(INPUT);
    expect(snippets.map(({ id }) => id)).toEqual(["curl", "javascript", "python", "shell", "powershell"]);
    for (const { text } of snippets) {
      expect(text).toContain("https://media.example");
      expect(text).toContain("/images/upload");
      expect(text).toContain("service_live_abc");
    }
  });

  it("The shell snippet is the script of `GET /tools`, hides the key and takes every name", () => {
    const shell = toSnippets(INPUT).find(({ id }) => id === "shell");
    expect(shell?.text).toBe(scriptFile.make(INPUT.baseUrl).replace("YOUR_KEY", INPUT.key));
  });

  it("A shell snippet has no space after a line continuation, which would end the command", () => {
    for (const { text } of toSnippets(INPUT)) expect(text).not.toMatch(/[\\`] +\n/);
  });
});

it("The ShareX file has the fields that ShareX imports", () => {
  const { filename, text } = toShareX(INPUT);
  expect(filename).toBe("media-host.sxcu");
  expect(JSON.parse(text)).toEqual({
    Version: "15.0.0",
    Name: "Media host",
    DestinationType: "ImageUploader, FileUploader",
    RequestMethod: "POST",
    RequestURL: "https://media.example/images/upload",
    Headers: { Authorization: "Bearer service_live_abc" },
    Body: "MultipartFormData",
    FileFormName: "file",
    URL: "{json:url}",
    ThumbnailURL: "{json:thumbnailUrl}",
    ErrorMessage: "{json:error}",
  });
});

it.each(TOOL_FILES)("The file for $name has the key only at its place", (file) => {
  const { filename, mimeType, text } = toConfigFile(file, INPUT);
  expect({ filename, mimeType }).toEqual({ filename: file.filename, mimeType: file.mediaType });
  expect(text).toBe(file.make(INPUT.baseUrl).replace("YOUR_KEY", INPUT.key));
  expect(text).toContain(INPUT.key);
});

it("PicGo's headers are JSON in JSON", () => {
  const { picBed } = JSON.parse(toPicGo(INPUT).text);
  expect(JSON.parse(picBed["web-uploader"].customHeader)).toEqual({ Authorization: "Bearer service_live_abc" });
  expect(picBed.uploader).toBe("web-uploader");
});
