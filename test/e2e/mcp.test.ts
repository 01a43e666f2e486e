import { mkdir, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { McpAgent } from "../support/cli/mcp-agent.ts";
import { CliUser } from "../support/cli/run-cli.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// `media-host mcp` against the whole stack, driven by the SDK's client.

const MIB = 1024 * 1024;

let stack: Stack;
let accounts: DemoAccounts;
let user: CliUser;
let reader: McpAgent;
let writer: McpAgent;

interface File {
  readonly _id: string;
  readonly url: string;
  readonly originalFilename: string;
  readonly tags: readonly string[];
  readonly status: string;
}
interface Files {
  readonly files: readonly File[];
  readonly total: number;
  readonly nextCursor: string | null;
}

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  user = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: accounts.pro.apiKey });
  await mkdir(user.path("pictures"));
  for (const [at, name] of ["beach one.png", "beach two.png", "city.png"].entries())
    await writeFile(user.path("pictures", name), png(30 + at, 20));
  await writeFile(
    user.path("pictures", "large.png"),
    await sharp({ create: { width: 1600, height: 1200, channels: 3, background: "#c04020" } })
      .png()
      .toBuffer(),
  );
  reader = await McpAgent.start(user);
  writer = await McpAgent.start(user, ["--write", "--root", "pictures"]);
});

afterAll(async () => {
  await reader?.[Symbol.asyncDispose]();
  await writer?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
  await stack?.dispose();
});

describe("the tools", () => {
  it("An agent can only read unless the server was started with `--write`", async () => {
    const READING = [
      "get_file",
      "get_usage",
      "list_duplicates",
      "list_files",
      "list_folders",
      "list_tags",
      "search_files",
      "view_file",
    ];
    const CHANGING = ["restore_files", "tag_files", "trash_files", "upload_file"];
    const names = async (agent: McpAgent) => (await agent.client.listTools()).tools.map(({ name }) => name).sort();
    expect(await names(reader)).toEqual(READING);
    expect(await names(writer)).toEqual([...READING, ...CHANGING].sort());
    for (const name of CHANGING) {
      const { isError, content } = await reader.call(name, { path: "city.png", ids: ["01kb3w2qjx0000000000000000"] });
      expect({ isError, content }).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching("not found") }],
      });
    }
    expect(await reader.get<Files>("list_files")).toMatchObject({ total: 0 });
  });

  it("Every tool describes itself, its arguments and its effects", async () => {
    const { tools } = await writer.client.listTools();
    const changes = new Map<string, object>([
      ["upload_file", { readOnlyHint: false, destructiveHint: false }],
      ["tag_files", { readOnlyHint: false, destructiveHint: true }],
      ["trash_files", { readOnlyHint: false, destructiveHint: true }],
      ["restore_files", { readOnlyHint: false, destructiveHint: false }],
    ]);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z]+_[a-z]+$/);
      expect({ title, description }).toEqual({
        title: expect.any(String),
        description: expect.stringMatching(/\w\.$/),
      });
      expect(annotations).toMatchObject(changes.get(name) ?? { readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema?.type).toBe("object");
    }
    expect(writer.client.getInstructions()).toContain(user.path("pictures"));
  });
});

describe("an agent that may write", () => {
  let uploaded: File[];

  it("An agent uploads files once, with tags, also if it repeats the call", async () => {
    uploaded = [];
    for (const path of ["beach one.png", "beach two.png", "city.png"]) {
      const tags = path.startsWith("beach") ? ["sea"] : [];
      const file = await writer.get<File>("upload_file", { path, tags });
      expect(file).toMatchObject({ originalFilename: path, tags });
      expect((await fetch(file.url, { method: "HEAD" })).status).toBe(200);
      uploaded.push(file);
    }
    const again = await writer.get<File>("upload_file", { path: user.path("pictures", "city.png") });
    expect(again._id).toBe(uploaded[2]?._id);
    expect((await reader.get<Files>("list_files")).total).toBe(3);
  });

  it("An agent lists by cursor and finds files by name and tag", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Files = await reader.get("list_files", { limit: 2, ...(cursor !== null && { cursor }) });
      expect(page.files.length).toBeLessThanOrEqual(2);
      seen.push(...page.files.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(uploaded.map(({ _id }) => _id).reverse());
    const found = await reader.get<Files>("search_files", { query: "TWO beach" });
    expect(found.files.map(({ originalFilename }) => originalFilename)).toEqual(["beach two.png"]);
    expect(await reader.get("search_files", { query: "sea", kind: "image" })).toMatchObject({ total: 2 });
    expect(await reader.get("list_files", { kind: "video" })).toMatchObject({ total: 0, files: [] });
    const facts = { visibility: "public", expires: false, hasAlt: false, takenDown: false };
    expect(await reader.get("list_files", { types: ["image/png", "image/jpeg"], ...facts })).toMatchObject({
      total: 3,
    });
    expect(await reader.get("list_files", { takenDown: true })).toMatchObject({ total: 0 });
    expect(await reader.get("list_files", { camera: "none of these", orientation: "square" })).toMatchObject({
      total: 0,
    });
    expect(await reader.failure("list_files", { kind: "video", types: ["image/png"] })).toMatchObject({
      code: "invalid_query",
    });
    expect(await reader.get("list_tags")).toEqual({ tags: [{ tag: "sea", count: 2 }] });
    expect(await reader.get("list_duplicates")).toEqual({ groups: [], nextCursor: null });
    expect(await reader.get("get_file", { id: uploaded[0]?.url })).toMatchObject({ _id: uploaded[0]?._id });
    expect(await reader.get("get_usage")).toMatchObject({ tier: "pro", files: { images: 3 } });
  });

  it("An agent finds folders by their paths, page by page, and uploads into one", async () => {
    const host = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
    const parent = await host.folders.create({ name: "Holidays" });
    const folder = await host.folders.create({ name: "2026", parentId: parent._id });
    const first = await reader.get<{ nextCursor: string }>("list_folders", { limit: 1 });
    expect(first).toMatchObject({ folders: [{ path: "Holidays" }] });
    const second = await reader.get("list_folders", { limit: 1, cursor: first.nextCursor });
    expect(second).toEqual({ folders: [{ _id: folder._id, path: "Holidays/2026", itemCount: 0 }], nextCursor: null });
    const file = await writer.get<File>("upload_file", {
      path: "large.png",
      folder: "Holidays/2026",
      name: "sunset.png",
    });
    expect(file).toMatchObject({ originalFilename: "sunset.png", folderId: folder._id });
    expect(await reader.get("list_files", { folder: "Holidays/2026" })).toMatchObject({ files: [{ _id: file._id }] });
    expect(await reader.get("list_files", { folder: "Holidays" })).toMatchObject({ files: [] });
  });

  it("An agent sees a small picture of a file", async () => {
    const [file] = (await reader.get<Files>("search_files", { query: "sunset" })).files;
    const { content, structuredContent } = await reader.call("view_file", { id: file?._id });
    const [picture] = content;
    if (picture?.type !== "image") throw new Error("no picture");
    expect(structuredContent).toMatchObject({ _id: file?._id });
    const shown = sharp(Buffer.from(picture.data, "base64"));
    const { width, height, format } = await shown.metadata();
    expect({ width, height, format, type: picture.mimeType }).toEqual({
      width: 512,
      height: 384,
      format: "jpeg",
      type: "image/jpeg",
    });
    const [red = 0, green = 255] = await shown.raw().toBuffer();
    expect(red).toBeGreaterThan(green + 80);
    const larger = await reader.call("view_file", { id: file?._id, width: 1024 });
    const [other] = larger.content;
    if (other?.type !== "image") throw new Error("no picture");
    expect((await sharp(Buffer.from(other.data, "base64")).metadata()).width).toBe(1024);
  });

  it("An agent sees a picture of a private file, whose plain URL nobody can open", async () => {
    const [file] = (await reader.get<Files>("search_files", { query: "sunset" })).files;
    const owner = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
    const change = (visibility: "private" | "public") => owner.update(file?._id ?? "", { visibility });
    const { url } = await change("private");
    expect((await fetch(url)).status).toBe(403);
    const { content } = await reader.call("view_file", { id: file?._id });
    expect(content[0]?.type).toBe("image");
    await change("public");
  });

  it("An agent tags files, moves them to the trash and takes them out, and none is deleted", async () => {
    const [one, two] = uploaded;
    const ids = [one?._id, two?.url];
    expect(await writer.get("tag_files", { ids, add: ["best"], remove: ["sea"] })).toEqual({ updated: 2 });
    expect(await reader.get("get_file", { id: two?._id })).toMatchObject({ tags: ["best"] });
    expect(await writer.get("trash_files", { ids })).toEqual({ updated: 2 });
    expect(await reader.get<Files>("list_files", { trash: true })).toMatchObject({ total: 2 });
    for (const file of [one, two]) expect((await fetch(file?.url ?? "", { method: "HEAD" })).status).toBe(200);
    expect(await writer.get("restore_files", { ids })).toEqual({ updated: 2 });
    expect(await reader.get<Files>("list_files", { tags: ["best"] })).toMatchObject({ total: 2 });
  });

  it("An upload of a large file reports its progress", async () => {
    await writeFile(user.path("pictures", "film.mp4"), mp4(20 * MIB));
    const told: { progress: number; total?: number | undefined }[] = [];
    const result = await writer.client.callTool({ name: "upload_file", arguments: { path: "film.mp4" } }, undefined, {
      onprogress: (progress) => told.push(progress),
      resetTimeoutOnProgress: true,
    });
    expect(result).toMatchObject({ structuredContent: { mimeType: "video/mp4", fileSize: 20 * MIB } });
    expect(told.length).toBeGreaterThan(5);
    expect(told.at(-1)).toMatchObject({ progress: 20 * MIB, total: 20 * MIB });
  });
});

describe("failures", () => {
  it("A failed call has the service's code, and the server continues", async () => {
    const missing = "01kb3w2qjx0000000000000000";
    expect(await reader.failure("get_file", { id: missing })).toMatchObject({
      code: "image_not_found",
      statusCode: 404,
    });
    expect(await reader.failure("get_file", { id: "photo.jpg" })).toMatchObject({ code: "image_not_found" });
    expect(await reader.failure("list_files", { folder: "Nowhere" })).toMatchObject({ code: "folder_not_found" });
    expect(await reader.failure("list_files", { cursor: "x" })).toMatchObject({
      code: "invalid_cursor",
      statusCode: 400,
    });
    expect(await writer.failure("tag_files", { ids: [missing] })).toMatchObject({ code: "invalid_request" });
    await writeFile(user.path("pictures", "text.png"), "no picture");
    expect(await writer.failure("upload_file", { path: "text.png" })).toMatchObject({ code: "unsupported_media_type" });
    for (const args of [{ limit: 51 }, { limit: 0 }, { folder: 1 }, { from: "2026-02-30" }, { unknown: true }]) {
      expect(await reader.call("list_files", args)).toMatchObject({ isError: true });
    }
    expect(await reader.get("get_usage")).toMatchObject({ tier: "pro" });
  });

  it("An upload key can upload, and every other call fails with the service's code", async () => {
    const free = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: accounts.free.uploadKey });
    await writeFile(free.path("a.png"), png(9, 9));
    const agent = await McpAgent.start(free, ["--write"]);
    expect(await agent.get("upload_file", { path: "a.png" })).toMatchObject({ originalFilename: "a.png" });
    expect(await agent.failure("list_files")).toMatchObject({ code: "api_tier_required", statusCode: 403 });
    await agent[Symbol.asyncDispose]();
    await free[Symbol.asyncDispose]();
  });
});
