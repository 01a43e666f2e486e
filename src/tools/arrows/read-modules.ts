import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EcmaScriptModule, parseSync } from "oxc-parser";

/** An import of one file by another, or of a package. Imports of types count. */
export interface Import {
  /** Path of the importing file, from the project's root. */
  readonly from: string;
  /** Path of the imported file, or the package's name; `node:` and `cloudflare:` stand for all modules of the platform. */
  readonly to: string;
  readonly isPackage: boolean;
}

export interface Module {
  readonly path: string;
  readonly imports: readonly Import[];
  /** The names of exported values. */
  readonly exports: readonly string[];
  /** The names that this file takes from others, as `path#name`; `path#*` takes all of them. */
  readonly uses: readonly string[];
}

export const SOURCES = ["src/**/*.{ts,tsx}", "container/**/*.ts"];
export const TESTS = ["test/**/*.{ts,tsx}", "*.config.ts"];
/** AssemblyScript, which only its own compiler checks. The table has no room for it. */
export const ENGINES = ["src/media/*/engine/*.ts"];

/** The modules of these files, except packages and declarations. */
export function readModules(patterns: readonly string[], except = ENGINES): Module[] {
  const exclude = ["**/node_modules/**", "**/*.d.ts", ...except];
  return globSync(patterns, { exclude }).map((path) => readModule(path, readFileSync(path, "utf8")));
}

/** @throws Error if the source has a mistake of syntax */
export function readModule(path: string, source: string): Module {
  const { module, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  return {
    path,
    imports: specifiersOf(module, source).map((specifier) =>
      specifier.startsWith(".")
        ? { from: path, to: join(dirname(path), specifier), isPackage: false }
        : { from: path, to: packageOf(specifier), isPackage: true },
    ),
    exports: entries
      .filter(({ isType }) => !isType)
      .flatMap(({ exportName: { kind, name } }) => nameOf(kind, name) ?? []),
    uses: usesOf(module, source).map(([specifier, name]) => `${join(dirname(path), specifier)}#${name}`),
  };
}

function specifiersOf(module: EcmaScriptModule, source: string): string[] {
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamicSpecifiers(module, source),
  ];
  return [...new Set(found)];
}

function usesOf(module: EcmaScriptModule, source: string): [specifier: string, name: string][] {
  const exports = module.staticExports.flatMap(({ entries }) => entries);
  return [
    ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ importName: { kind, name } }): [string, string] => [
        moduleRequest.value,
        nameOf(kind, name) ?? "*",
      ]),
    ),
    ...exports.flatMap(({ moduleRequest, importName: { kind, name } }): [string, string][] =>
      moduleRequest === null ? [] : [[moduleRequest.value, nameOf(kind, name) ?? "*"]],
    ),
    ...dynamicSpecifiers(module, source).map((specifier): [string, string] => [specifier, "*"]),
  ];
}

function dynamicSpecifiers(module: EcmaScriptModule, source: string): string[] {
  return module.dynamicImports.flatMap(
    ({ moduleRequest: { start, end } }) => /^"(.*)"$/.exec(source.slice(start, end))?.[1] ?? [],
  );
}

/** @returns undefined for a star */
function nameOf(kind: string, name: string | null): string | undefined {
  if (kind === "Default") return "default";
  return kind === "Name" ? (name ?? undefined) : undefined;
}

function packageOf(specifier: string): string {
  const [platform] = /^(?:node|cloudflare):/.exec(specifier) ?? [];
  return platform ?? (/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] as string);
}
