import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withPicture } from "../../../src/tools/arrows/draw-picture.ts";
import { findUnused } from "../../../src/tools/arrows/find-unused.ts";
import { findCircles, findViolations } from "../../../src/tools/arrows/find-violations.ts";
import { readModule, readModules, SOURCES } from "../../../src/tools/arrows/read-modules.ts";

// `npm run check` fails on each import that the table does not allow.

const REFUSED = [
  ["src/services/images/codec.ts", "../../media/png/compress-png.ts"],
  ["src/services/images/codecs.ts", "../../codecs/worker.ts"],
  ["src/services/images/hono.ts", "hono"],
  ["src/media/png/wasm.ts", "./engine/png-engine.wasm"],
  ["src/media/sha256/wasm.ts", "./engine/sha256-engine.wasm"],
  ["src/services/images/wasm.ts", "../../media/png/engine/png-engine.wasm"],
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
  ["src/dashboard/shell/key-tools/page.ts", "../../developers/developers-page.tsx"],
  ["src/dashboard/developers/usage.ts", "../usage/usage-page.tsx"],
  ["src/dashboard/uploads/library.ts", "../library/grid.tsx"],
  ["src/dashboard/library/filter-bar/keys.ts", "../../developers/developers-page.tsx"],
  ["src/services/images/dashboard.ts", "../../dashboard/design/format.ts"],
  ["container/png.ts", "../src/media/png/compress-png.ts"],
  ["container/thumbnail/services.ts", "../../src/services/context.ts"],
  ["container/app.ts", "../src/app.ts"],
] as const;

const ALLOWED = [
  ["src/services/images/head.ts", "../../media/first-bytes.ts"],
  ["src/services/images/meter.ts", "../../meter/account-meter.ts"],
  ["src/codecs/wasm.ts", "../media/png/engine/png-engine.wasm"],
  ["src/services/images/wasm.ts", "../../media/sha256/engine/sha256-engine.wasm"],
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
  ["src/dashboard/developers/shell.ts", "../shell/page.tsx"],
  ["src/dashboard/library/uploads.ts", "../uploads/queue.ts"],
  ["src/dashboard/library/filter-bar/own.ts", "../filters.ts"],
  ["src/dashboard/library/filter-bar/design.ts", "../../design/chip.tsx"],
  ["container/webp.ts", "../src/media/webp/compress-webp.ts"],
  ["container/thumbnail/own.ts", "../refusal.ts"],
] as const;

function judge(from: string, specifier: string): string[] {
  const isPackage = !specifier.startsWith(".");
  const to = isPackage ? /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] : join(dirname(from), specifier);
  return findViolations([{ from, to: to as string, isPackage }]);
}

describe("Import rules", () => {
  it.each(REFUSED)("The import rules refuse %s an import of %s", (from, specifier) => {
    expect(judge(from, specifier)).toHaveLength(1);
  });

  it.each(ALLOWED)("The import rules let %s import %s", (from, specifier) => {
    expect(judge(from, specifier)).toEqual([]);
  });

  it("The import rules allow every import of the project", () => {
    const imports = readModules(SOURCES).flatMap((module) => module.imports);
    expect(imports.length).toBeGreaterThan(2000);
    expect(findViolations(imports)).toEqual([]);
  });

  it("The import rules are drawn on the architecture page", () => {
    const page = readFileSync("docs/internals/architecture.md", "utf8");
    expect(withPicture(page)).toBe(page);
  });
});

describe("Circles of files", () => {
  const CIRCLES = [
    ['import { b } from "./b.ts";', 'import { a } from "./a.ts";'],
    ['import type { B } from "./b.ts";', 'import type { A } from "./a.ts";'],
    ['export * from "./b.ts";', 'const a = await import("./a.ts");'],
    ['import "./b";', 'import "./a";'],
  ] as const;

  it.each(CIRCLES)("The imports %j and %j are a circle, also through a third file", (first, second) => {
    const [a, b] = [readModule("test/a.ts", first), readModule("test/b.ts", second)];
    expect(findCircles([a, b]).map((files) => files.toSorted())).toEqual([["test/a.ts", "test/b.ts"]]);
    const [toThird, third] = [second.replace("a.ts", "c.ts").replace('/a"', '/c"'), "import './a.ts';"];
    const longer = [a, readModule("test/b.ts", toThird), readModule("test/c.ts", third)];
    expect(findCircles(longer).map((files) => files.toSorted())).toEqual([["test/a.ts", "test/b.ts", "test/c.ts"]]);
  });

  it("Two ways to one file, and packages, are no circle", () => {
    const a = readModule("test/a.ts", 'import "./b.ts"; import "./c.ts"; import "a.ts";');
    const [b, c] = ["b", "c"].map((name) => readModule(`test/${name}.ts`, 'import "./d.ts";'));
    expect(findCircles([a, b as typeof a, c as typeof a, readModule("test/d.ts", "")])).toEqual([]);
  });
});

describe("Unused exports", () => {
  const CASES: [source: string, user: string, unused: string[]][] = [
    ["export const a = 1, b = 2;", 'import { a } from "./source.ts";', ["b"]],
    ["export function f() {} export class C {}", 'import type { C } from "./source.ts";', ["f"]],
    ["export default 1;", 'import value from "./source.ts";', []],
    ["export default 1;", "", ["default"]],
    ["export const a = 1;", 'export { a as b } from "./source.ts";', []],
    ["export const a = 1;", 'export * from "./source.ts";', []],
    ["export const a = 1;", 'import * as all from "./source.ts";', []],
    ["export const a = 1;", 'const all = await import("./source.ts");', []],
    ["export const a = 1;", 'import { a } from "./another.ts";', ["a"]],
    ["export type T = 1; export interface I {}", "", []],
  ];

  it.each(CASES)("The unused values of %j, used by %j, are %j", (source, user, unused) => {
    const sentences = unused.map((name) => `src/source.ts exports ${name}, which no other file imports`);
    expect(findUnused([readModule("src/source.ts", source)], [readModule("src/user.ts", user)])).toEqual(sentences);
  });

  it("An entry of a Worker has exports that only the platform imports", () => {
    expect(findUnused([readModule("src/cdn/worker.ts", "export class ViewJournal {}")], [])).toEqual([]);
  });
});
