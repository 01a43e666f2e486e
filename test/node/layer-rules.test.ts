import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// DESIGN, Layout: the arrows, and that the linter enforces them.

const REFUSED = [
  ["src/services/images/codec.ts", "../../media/png/compress-png.ts"],
  ["src/services/images/codecs.ts", "../../codecs/worker.ts"],
  ["src/services/images/hono.ts", "hono"],
  ["src/media/png/wasm.ts", "./engine/png-engine.wasm"],
  ["src/media/png/codecs.ts", "../../codecs/worker.ts"],
  ["src/domain/services.ts", "../services/context.ts"],
  ["src/meter/services.ts", "../services/context.ts"],
  ["src/api/images/db.ts", "../../db/client.ts"],
  ["src/cdn/db.ts", "../db/client.ts"],
  ["src/app.ts", "./db/client.ts"],
  ["src/worker.ts", "./services/open-services.ts"],
  ["src/client/contract.ts", "../contract/folder.ts"],
  ["src/client/domain.ts", "../domain/tiers.ts"],
  ["src/client/zod.ts", "zod"],
  ["src/client/types.ts", "../domain/tiers.ts"],
  ["src/cli/contract.ts", "../contract/folder.ts"],
  ["src/dashboard/contract.tsx", "../contract/folder.ts"],
  ["src/dashboard/design/client.ts", "../../client/index.ts"],
  ["src/dashboard/design/query.ts", "@tanstack/react-query"],
  ["src/dashboard/api/contract.ts", "../../contract/folder.ts"],
  ["src/dashboard/api/design.ts", "../design/button.tsx"],
  ["src/dashboard/api/queries/server.ts", "../../../api/router.ts"],
  ["src/dashboard/shell/page.ts", "../library/grid.tsx"],
  ["src/dashboard/shell/server.ts", "../../api/router.ts"],
  ["src/dashboard/shell/base-ui.ts", "@base-ui/react/dialog"],
  ["src/dashboard/shell/key-tools/page.ts", "../../keys/keys-page.tsx"],
  ["src/dashboard/keys/usage.ts", "../usage/usage-page.tsx"],
  ["src/dashboard/uploads/library.ts", "../library/grid.tsx"],
  ["src/dashboard/library/filter-bar/keys.ts", "../../keys/keys-page.tsx"],
  ["src/services/images/dashboard.ts", "../../dashboard/design/format.ts"],
  ["container/png.ts", "../src/media/png/compress-png.ts"],
  ["container/thumbnail/services.ts", "../../src/services/context.ts"],
  ["container/app.ts", "../src/app.ts"],
] as const;

const ALLOWED = [
  ["src/services/images/head.ts", "../../media/read-head.ts"],
  ["src/services/images/meter.ts", "../../meter/account-meter.ts"],
  ["src/codecs/wasm.ts", "../media/png/engine/png-engine.wasm"],
  ["src/api/services.ts", "../services/context.ts"],
  ["src/jobs/processor.ts", "../processor/open-processor.ts"],
  ["src/client/own.ts", "./types.ts"],
  ["src/cli/client.ts", "../client/index.ts"],
  ["src/dashboard/app.tsx", "./shell/shell.tsx"],
  ["src/dashboard/design/base-ui.ts", "@base-ui/react/dialog"],
  ["src/dashboard/api/client.ts", "../../client/index.ts"],
  ["src/dashboard/api/queries/own.ts", "../client.ts"],
  ["src/dashboard/api/queries/types.ts", "../../../client/index.ts"],
  ["src/dashboard/shell/api.ts", "../api/client.ts"],
  ["src/dashboard/shell/key-tools/design.ts", "../../design/chip.tsx"],
  ["src/dashboard/keys/shell.ts", "../shell/page.tsx"],
  ["src/dashboard/library/uploads.ts", "../uploads/queue.ts"],
  ["src/dashboard/library/filter-bar/own.ts", "../filters.ts"],
  ["src/dashboard/library/filter-bar/design.ts", "../../design/chip.tsx"],
  ["container/webp.ts", "../src/media/webp/compress-webp.ts"],
  ["container/thumbnail/own.ts", "../refusal.ts"],
] as const;

let folder: string;
/** Paths of the files whose import the linter refuses. */
const refused = new Set<string>();

beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), "layer-rules-"));
  const { vcs: _, ...config } = JSON.parse(await readFile("biome.json", "utf8")) as Record<string, unknown>;
  await writeFile(join(folder, "biome.json"), JSON.stringify(config));
  for (const [path, source] of [...REFUSED, ...ALLOWED]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `import "${source}";\n`);
  }
  const biome = join(process.cwd(), "node_modules/.bin/biome");
  const args = ["lint", "--only=style/noRestrictedImports", "--reporter=github", "--max-diagnostics=none"];
  const report = await new Promise<string>((done) => {
    execFile(biome, args, { cwd: folder }, (_, stdout) => done(stdout));
  });
  for (const [, path = ""] of report.matchAll(/noRestrictedImports,file=([^,]+),/g)) {
    refused.add(relative(folder, resolve(folder, path)));
  }
});

afterAll(() => rm(folder, { recursive: true }));

describe("the linter", () => {
  it.each(REFUSED)("refuses %s an import of %s", (path) => {
    expect(refused).toContain(path);
  });

  it.each(ALLOWED)("lets %s import %s", (path) => {
    expect(refused).not.toContain(path);
  });
});
