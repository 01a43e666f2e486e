import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser } from "../../support/cli/run-cli.ts";
import { processArguments } from "../../support/tools/process-arguments.ts";

// What is common to all commands: their help, and where the service and the key come from.

const KEY = `service_upload_${"p".repeat(43)}`;

let service: FakeService;
let user: CliUser;

beforeEach(async () => {
  service = await FakeService.start();
  user = await CliUser.create();
  await writeFile(user.path("a.jpg"), "picture");
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
});

describe("--help", () => {
  it("names every command, the exit codes and the environment", async () => {
    const { exitCode, stdout, stderr } = await user.run(["--help"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout.split("\n").map((line) => line.trim().replace(/ +/g, " "));
    for (const { name, summary } of COMMANDS) expect(lines).toContain(`${name} ${summary}`);
    for (const word of ["exit codes", "MEDIA_HOST_URL", "MEDIA_HOST_KEY"]) expect(stdout).toContain(word);
  });

  it.each(COMMANDS)("of $name shows its options, and examples of it", async ({ name, options }) => {
    const { exitCode, stdout } = await user.run([name, "--help"]);
    expect(exitCode).toBe(0);
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`);
    expect(stdout).toMatch(new RegExp(`examples:\n(  media-host ${name}.*  \\S.*\n?)+$`));
  });

  it("is what is said of a command that is not there", async () => {
    const { exitCode, stdout, stderr } = await user.run(["uplaod", "a.jpg"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain('there is no command "uplaod"');
    expect(stderr).toContain("upload files, folders");
  });
});

describe("the service and its key", () => {
  const writeConfig = async (config: object) => {
    await mkdir(dirname(user.configPath), { recursive: true });
    await writeFile(user.configPath, JSON.stringify(config));
  };

  it
    .runIf(process.platform === "linux")
    .each<[string, () => Promise<{ args: string[]; env: Record<string, string> }>]>([
      ["the environment", async () => ({ args: [], env: { MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: KEY } })],
      [
        "a file",
        async () => {
          await writeFile(user.path("key.txt"), `${KEY}\n`);
          return { args: ["--host", service.url, "--key-file", "key.txt"], env: {} };
        },
      ],
      [
        "the configuration",
        async () => {
          await writeConfig({ host: service.url, key: KEY });
          return { args: [], env: {} };
        },
      ],
    ])("come from %s, and the key is in no process list", async (_, configure) => {
    const { args, env } = await configure();
    let seen = "";
    service.onForm = async () => {
      seen = await processArguments();
    };
    const { exitCode } = await user.run(["upload", ...args, "a.jpg"], { env });
    expect(exitCode).toBe(0);
    expect(service.sent).toMatchObject([{ name: "a.jpg", key: KEY }]);
    expect(seen).toContain("media-host.js upload");
    expect(seen).not.toContain(KEY);
  });

  it("are the argument's before the environment's, and the environment's before the configuration's", async () => {
    await writeConfig({ host: "http://127.0.0.1:1", key: "of-the-configuration" });
    await writeFile(user.path("key.txt"), "of-the-file");
    const env = { MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: "of-the-environment" };
    await user.run(["upload", "a.jpg"], { env });
    await user.run(["upload", "--force", "--key-file", "key.txt", "a.jpg"], { env });
    expect(service.sent.map(({ key }) => key)).toEqual(["of-the-environment", "of-the-file"]);
  });

  it.each([
    ["upload", "--key", KEY, "a.jpg"],
    ["login", "--key", KEY],
    ["login", "--password", "secret"],
  ])("no argument is a secret: %s %s", async (...args) => {
    const { exitCode, stdout } = await user.run(args, { env: { MEDIA_HOST_URL: service.url }, input: "" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(service.asked).toEqual([]);
  });
});
