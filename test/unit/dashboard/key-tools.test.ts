import { describe, expect, it } from "vitest";
import { toPicGo, toShareX } from "../../../src/dashboard/shell/key-tools/config-files.ts";
import { toSnippets } from "../../../src/dashboard/shell/key-tools/snippets.ts";

const INPUT = { baseUrl: "https://media.example", key: "service_live_abc" };

describe("the snippets of a key", () => {
  it("each name the endpoint and bear the key", () => {
    const snippets = toSnippets(INPUT);
    expect(snippets.map(({ id }) => id)).toEqual(["curl", "javascript", "python", "shell", "powershell"]);
    for (const { text } of snippets) {
      expect(text).toContain("https://media.example/images/upload");
      expect(text).toContain("Bearer service_live_abc");
    }
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

it("PicGo's headers are JSON in JSON", () => {
  const { picBed } = JSON.parse(toPicGo(INPUT).text);
  expect(JSON.parse(picBed["web-uploader"].customHeader)).toEqual({ Authorization: "Bearer service_live_abc" });
  expect(picBed.uploader).toBe("web-uploader");
});
