import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser } from "../../support/cli/run-cli.ts";

/** The number of files. `CLI_FILES=10000` takes minutes on a slow machine. */
const FILES = Number(process.env.CLI_FILES ?? 2000);
/** The most memory. Live objects take about 20 MB; the rest is garbage that V8 collects only when it must. */
const HEAP_MB = 64;

let service: FakeService;
let user: CliUser;

beforeAll(async () => {
  service = await FakeService.start();
  const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`;
  user = await CliUser.create({ MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: "key", NODE_OPTIONS });
  await mkdir(user.path("in"));
  for (let at = 0; at < FILES; at += 1) await writeFile(user.path("in", `${at}.jpg`), `picture ${at}`);
});
afterAll(async () => {
  await user?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

it(`The command line uploads ${FILES} files in a heap of ${HEAP_MB} MB, and skips them all the next time`, async () => {
  for (const _ of ["all are new", "all are known"]) {
    const { exitCode, stdout } = await user.run(["upload", "--quiet", "-c", "8", "in"]);
    expect({ exitCode, urls: stdout.trim().split("\n").length }).toEqual({ exitCode: 0, urls: FILES });
    expect(service.sent).toHaveLength(FILES);
  }
}, 900_000);
