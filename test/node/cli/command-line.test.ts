import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser } from "../../support/cli/run-cli.ts";
import { processArguments } from "../../support/tools/process-arguments.ts";

// Features that all commands share: help, and the sources of the service's address and key.

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
  it("`--help` names every command, the exit codes and the environment variables", async () => {
    const { exitCode, stdout, stderr } = await user.run(["--help"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout.split("\n").map((line) => line.trim().replace(/ +/g, " "));
    for (const { name, summary } of COMMANDS) expect(lines).toContain(`${name} ${summary}`);
    for (const word of ["exit codes", "MEDIA_HOST_URL", "MEDIA_HOST_KEY"]) expect(stdout).toContain(word);
  });

  it.each(COMMANDS)("`--help` of $name shows its options with examples", async ({ name, options }) => {
    const { exitCode, stdout } = await user.run([name, "--help"]);
    expect(exitCode).toBe(0);
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`);
    expect(stdout).toMatch(new RegExp(`examples:\n(  media-host ${name}.*  \\S.*\n?)+$`));
  });

  it("An unknown command is answered with the help", async () => {
    const { exitCode, stdout, stderr } = await user.run(["uplaod", "a.jpg"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain('there is no command "uplaod"');
    expect(stderr).toContain("upload files, folders");
  });
});

describe("unknown words", () => {
  it.each([
    [["upload", "--foldr", "Holidays", "a.jpg"], "there is no option --foldr; did you mean --folder?"],
    [["upload", "--concurency=3", "a.jpg"], "there is no option --concurency; did you mean --concurrency?"],
    [["upload", "--dry_run", "a.jpg"], "there is no option --dry_run; did you mean --dry-run?"],
    [["upload", "--rec", "a.jpg"], "there is no option --rec; did you mean --recursive?"],
    [["ls", "--qiuet"], "there is no option --qiuet; did you mean --quiet?"],
    [["tag", "--ad", "beach", "x"], "there is no option --ad; did you mean --add?"],
    [["stats", "--sjon"], "there is no option --sjon; did you mean --json?"],
    [["ls", "--sort", "name"], "there is no option --sort\n"],
    [["ls", "-z"], "there is no option -z\n"],
    [["ls", "--all=x"], "there is no option --all\n"],
    [["uplaod", "a.jpg"], 'there is no command "uplaod"; did you mean upload?'],
    [["folder"], 'there is no command "folder"; did you mean folders?'],
    [["lgoin"], 'there is no command "lgoin"; did you mean login?'],
    [["unheard-of"], 'there is no command "unheard-of"\n'],
    [["folders", "craete", "Holidays"], '"craete" is none of create, rename, rm; did you mean create?'],
    [["upload", "--json=yes", "a.jpg"], "--json takes no value"],
    [["upload", "a.jpg", "--folder"], "--folder needs a value: --folder FOLDER"],
  ])("An unknown word gets the suggestion of a similar known word: %j", async (args, message) => {
    const env = { MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: KEY };
    const { exitCode, stdout, stderr } = await user.run(args, { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(service.asked).toEqual([]);
  });
});

describe("service and key", () => {
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
    ])("Service and key come from %s, and the process list never shows the key", async (_, configure) => {
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

  it("Arguments override the environment, and the environment overrides the configuration", async () => {
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
    ["login", `--key=${KEY}`],
    ["login", "--password", "secret"],
    ["login", "secret"],
  ])("No argument takes a secret: %s %s", async (...args) => {
    const { exitCode, stdout, stderr } = await user.run(args, { env: { MEDIA_HOST_URL: service.url }, input: "" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).not.toContain(args[1]?.startsWith("--key") ? KEY : "secret");
    const ways = [
      "media-host login --key and paste it",
      "media-host login --key < FILE",
      "MEDIA_HOST_KEY",
      "--key-file",
    ];
    for (const way of args[1]?.startsWith("--key") ? ways : []) expect(stderr).toContain(way);
    expect(service.asked).toEqual([]);
  });
});
