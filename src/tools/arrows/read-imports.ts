import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

/** An import of one file by another, or of a package. Imports of types count. */
export interface Import {
  /** Path of the importing file, from the project's root. */
  readonly from: string;
  /** Path of the imported file, or the package's name; `node:` and `cloudflare:` stand for all modules of the platform. */
  readonly to: string;
  readonly isPackage: boolean;
}

/** AssemblyScript, which its own compiler checks. */
const ENGINES = "src/media/*/engine/**";

/** Every import in `src/` and `container/`. @param root the project's folder */
export function readImports(root = "."): Import[] {
  const files = globSync(["src/**/*.ts", "src/**/*.tsx", "container/**/*.ts"], {
    cwd: root,
    exclude: [ENGINES, "**/node_modules/**", "**/*.d.ts"],
  });
  return files.flatMap((from) =>
    specifiersOf(from, readFileSync(join(root, from), "utf8")).map((specifier) =>
      specifier.startsWith(".")
        ? { from, to: join(dirname(from), specifier), isPackage: false }
        : { from, to: packageOf(specifier), isPackage: true },
    ),
  );
}

function specifiersOf(path: string, source: string): string[] {
  const { module, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^"(.*)"$/.exec(source.slice(start, end))?.[1] ?? [],
    ),
  ];
  return [...new Set(found)];
}

function packageOf(specifier: string): string {
  const [platform] = /^(?:node|cloudflare):/.exec(specifier) ?? [];
  return platform ?? (/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] as string);
}
