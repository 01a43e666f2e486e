import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { toConfigFile, toPicGo, toShareX } from "../../../src/dashboard/shell/key-tools/config-files.ts";
import type { Snippet } from "../../../src/dashboard/shell/key-tools/snippet.ts";
import { toSnippets } from "../../../src/dashboard/shell/key-tools/to-snippets.ts";
import { TOOL_FILES } from "../../../src/domain/tool-files/index.ts";
import { scriptFile } from "../../../src/domain/tool-files/script.ts";

const INPUT = { baseUrl: "https://media.example", key: "service_live_abc" };

const codeOf = ({ files }: Snippet) => files.map(({ text }) => text).join("\n");

describe("Key snippets", () => {
  it("Every snippet contains the endpoint and the key", () => {
    const snippets = toSnippets(INPUT);
    expect(snippets.map(({ id }) => id)).toEqual([
      ...["curl", "javascript", "react", "next", "python", "php", "go", "shell", "powershell"],
    ]);
    for (const snippet of snippets) {
      const text = codeOf(snippet);
      expect(text).toContain("https://media.example");
      expect(text).toContain("/images/upload");
      expect(text.split("service_live_abc")).toHaveLength(2);
    }
  });

  it("The quick start of the documentation has the same code", async () => {
    const page = await readFile("docs/using/quick-start.md", "utf8");
    const shared = toSnippets({ baseUrl: "http://localhost:8787", key: "YOUR_KEY" });
    const code = shared.filter(({ id }) => !["curl", "shell", "powershell"].includes(id)).flatMap(({ files }) => files);
    expect(code).toHaveLength(7);
    for (const { text } of code) expect(page).toContain(`\n${text}\n\`\`\`\n`);
    // The page's commands run in a shell that has both variables.
    const [command] = toSnippets({ baseUrl: "$HOST", key: "$KEY" });
    expect(page).toContain(`\`\`\`sh\n${command?.files[0]?.text}\n\`\`\`\n`);
  });

  it("The code in Go uses each package that it imports, and closes each bracket", () => {
    const text = codeOf(toSnippets(INPUT).find(({ id }) => id === "go") as Snippet);
    const [, imports = ""] = /^package main\n\nimport \(\n([^)]*)\)\n/.exec(text) ?? [];
    const packages = [...imports.matchAll(/\t"(?:\w+\/)*(\w+)"\n/g)].map(([, name]) => name);
    expect(packages).toEqual(["json", "fmt", "log", "http", "os"]);
    for (const name of packages) expect(text).toMatch(new RegExp(`\\b${name}\\.[A-Z]`));
    for (const [open, close] of ["{}", "()"])
      expect(text.split(open ?? "")).toHaveLength(text.split(close ?? "").length);
    // gofmt indents by tabs.
    expect(text).not.toMatch(/^ /m);
  });

  it("The shell snippet is the script of `GET /tools`, hides the key and takes every name", () => {
    const shell = toSnippets(INPUT).find(({ id }) => id === "shell");
    expect(shell && codeOf(shell)).toBe(scriptFile.make(INPUT.baseUrl).replace("YOUR_KEY", INPUT.key));
  });

  it("A shell snippet has no space after a line continuation, which would end the command", () => {
    for (const snippet of toSnippets(INPUT)) expect(codeOf(snippet)).not.toMatch(/[\\`] +\n/);
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
