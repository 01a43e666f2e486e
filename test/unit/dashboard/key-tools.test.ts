import { describe, expect, it } from "vitest";
import { toConfigFile, toPicGo, toShareX } from "../../../src/dashboard/shell/key-tools/config-files.ts";
import { toSnippets } from "../../../src/dashboard/shell/key-tools/snippets.ts";
import { TOOL_FILES } from "../../../src/domain/tool-files/index.ts";
import { scriptFile } from "../../../src/domain/tool-files/script.ts";

const INPUT = { baseUrl: "https://media.example", key: "service_live_abc" };

describe("the snippets of a key", () => {
  it("each name the endpoint and bear the key", () => {
    const snippets = toSnippets(INPUT);
    expect(snippets.map(({ id }) => id)).toEqual(["curl", "javascript", "python", "shell", "powershell"]);
    for (const { text } of snippets) {
      expect(text).toContain("https://media.example");
      expect(text).toContain("/images/upload");
      expect(text).toContain("service_live_abc");
    }
  });

  it("the shell's is the script of GET /tools, which keeps the key out of process lists and takes every name", () => {
    const shell = toSnippets(INPUT).find(({ id }) => id === "shell");
    expect(shell?.text).toBe(scriptFile.make(INPUT.baseUrl).replace("YOUR_KEY", INPUT.key));
  });

  it("a shell continues no line behind a space, which would end the command", () => {
    for (const { text } of toSnippets(INPUT)) expect(text).not.toMatch(/[\\`] +\n/);
  });
});

it("ShareX's file is the one that it imports", () => {
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

it.each(TOOL_FILES)("the file for $name has the key, in its place alone", (file) => {
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
