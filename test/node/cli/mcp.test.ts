import { mkdir, symlink, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeService } from "../../support/cli/fake-service.ts";
import { McpAgent } from "../../support/cli/mcp-agent.ts";
import { CliUser, endOf } from "../../support/cli/run-cli.ts";

// `media-host mcp` as a process: its start, its end, its output, and the folders that it reads.

const KEY = `service_live_${"p".repeat(43)}`;

let service: FakeService;
let user: CliUser;

beforeEach(async () => {
  service = await FakeService.start();
  user = await CliUser.create({ MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: KEY });
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
});

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const HELLO = request(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});
const messages = (stdout: string) =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id?: number; result?: object; error?: { code: number } });

describe("the process", () => {
  it("Stdout has only messages of the protocol, and calls are answered before the server ends with its input", async () => {
    service.refuse = () => ({ status: 404, error: "Image not found", code: "image_not_found" });
    const input = [
      HELLO,
      "this is no JSON",
      request(2, "tools/call", { name: "get_file", arguments: { id: "01kb3w2qjx0000000000000000" } }),
      request(3, "no/such/method"),
      request(4, "tools/call", { name: "no_such_tool" }),
    ];
    const { exitCode, stdout, stderr } = await user.run(["mcp"], { input: `${input.join("\n")}\n` });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const answers = new Map(messages(stdout).map((message) => [message.id, message]));
    expect([...answers.keys()].sort()).toEqual([1, 2, 3, 4]);
    expect(answers.get(2)?.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"code":"image_not_found"') }],
    });
    expect(answers.get(3)?.error).toMatchObject({ code: -32601 });
    expect(answers.get(4)?.result).toMatchObject({ isError: true });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s ends the server", async (name) => {
    const child = user.start(["mcp"], { stdin: "open" });
    child.stdin?.write(`${HELLO}\n`);
    await new Promise((resolve) => child.stdout?.once("readable", resolve));
    const ended = endOf(child);
    child.kill(name);
    expect(await ended).toMatchObject({ exitCode: name === "SIGINT" ? 130 : 143 });
  });

  it("The server does not start without a credential, or with options that make no sense", async () => {
    const env = { MEDIA_HOST_KEY: undefined };
    expect(await user.run(["mcp"], { env, input: "" })).toMatchObject({ exitCode: 3, stdout: "" });
    for (const args of [["--root", "."], ["--write", "--root", "nowhere"], ["here"]]) {
      expect(await user.run(["mcp", ...args], { input: "" })).toMatchObject({ exitCode: 2, stdout: "" });
    }
    expect(service.asked).toEqual([]);
  });

  it("A service that cannot be reached fails the call, and the server continues", async () => {
    await using agent = await McpAgent.start(user);
    service.refuse = () => ({ status: 403, error: "The API key is confined to a folder", code: "key_confined" });
    expect(await agent.failure("get_usage")).toEqual({
      error: "The API key is confined to a folder",
      code: "key_confined",
      statusCode: 403,
    });
    await service[Symbol.asyncDispose]();
    service = await FakeService.start();
    // Nothing listens at the old address any more. The client tries several times.
    const abort = new AbortController();
    const call = agent.client.callTool({ name: "get_usage" }, undefined, { signal: abort.signal });
    setTimeout(() => abort.abort(), 200);
    await expect(call).rejects.toThrow();
    expect((await agent.client.listTools()).tools.length).toBeGreaterThan(5);
  });
});

describe("the folders of uploads", () => {
  beforeEach(async () => {
    await mkdir(user.path("pictures", "below"), { recursive: true });
    await mkdir(user.path("pictures-too"));
    await mkdir(user.path("secret"));
    for (const path of ["pictures/a.png", "pictures/below/b.png", "pictures-too/c.png", "secret/key.png", "d.png"])
      await writeFile(user.path(path), `bytes of ${path}`);
    await symlink(user.path("secret"), user.path("pictures", "link-to-folder"));
    await symlink(user.path("secret", "key.png"), user.path("pictures", "link-to-file.png"));
    await symlink(user.path("pictures", "a.png"), user.path("pictures", "inner.png"));
    await symlink(user.path("pictures", "below", "b.png"), user.path("secret", "into.png"));
  });

  it("An agent uploads files below a folder, also by a link that stays there", async () => {
    await using agent = await McpAgent.start(user, [
      "--write",
      "--root",
      "pictures",
      "--root",
      user.path("pictures-too"),
    ]);
    const paths = [
      "a.png",
      "below/../below/b.png",
      "inner.png",
      "../secret/into.png",
      user.path("pictures-too", "c.png"),
    ];
    for (const path of paths) await agent.call("upload_file", { path });
    expect(service.sent.map(({ name }) => name)).toEqual(["a.png", "b.png", "a.png", "b.png", "c.png"]);
  });

  it.each([
    ["../d.png", "outside_root"],
    ["../secret/key.png", "outside_root"],
    ["link-to-file.png", "outside_root"],
    ["link-to-folder/key.png", "outside_root"],
    ["../pictures-too/c.png", "outside_root"],
    ["/etc/passwd", "outside_root"],
    [".", "outside_root"],
    ["below", "not_a_file"],
    ["nothing.png", "failed"],
    ["a.png\0.jpg", "failed"],
  ])("An agent cannot upload %j (%s)", async (path, code) => {
    await using agent = await McpAgent.start(user, ["--write", "--root", "pictures"]);
    expect(await agent.failure("upload_file", { path })).toMatchObject({ code });
    expect(service.asked).toEqual([]);
  });

  it("Files below the current folder can be uploaded without `--root`", async () => {
    await using agent = await McpAgent.start(user, ["--write"]);
    await agent.call("upload_file", { path: "secret/key.png" });
    expect(service.sent.map(({ name }) => name)).toEqual(["key.png"]);
    expect(await agent.failure("upload_file", { path: "/etc/passwd" })).toMatchObject({ code: "outside_root" });
  });
});
