import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUILT = ".assets/dashboard";
/** Pages that are loaded separately, by their module's name in Vite's manifest. */
const PAGE = /-page\.tsx$/;

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Kilobytes after gzip. */
export interface DashboardSizes {
  /** First load of each page, by its module's name. */
  readonly pages: ReadonlyMap<string, { readonly scriptKb: number; readonly styleKb: number }>;
  /** Lazy chunks, by file name. */
  readonly chunks: ReadonlyMap<string, number>;
}

/** Measures the sizes of the built dashboard. */
export async function weighDashboard(): Promise<DashboardSizes> {
  const manifest = JSON.parse(await readFile(join(BUILT, "manifest.json"), "utf8")) as Manifest;
  const first = closure(manifest, ["index.html"]);
  const pages = new Map<string, { scriptKb: number; styleKb: number }>();
  for (const page of Object.keys(manifest).filter((name) => PAGE.test(name))) {
    const loaded = closure(manifest, ["index.html", page]);
    pages.set(page, {
      scriptKb: await weigh([...loaded].map(({ file }) => file)),
      styleKb: await weigh([...loaded].flatMap(({ css = [] }) => css)),
    });
  }
  const chunks = new Map<string, number>();
  for (const chunk of Object.values(manifest)) {
    if (!first.has(chunk) && chunk.file.endsWith(".js")) chunks.set(chunk.file, await weigh([chunk.file]));
  }
  return { pages, chunks };
}

/** The chunks with these names, and all their imports. */
function closure(manifest: Manifest, names: readonly string[]): Set<Chunk> {
  const found = new Set<Chunk>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The dashboard's manifest has no ${name}`);
    if (found.has(chunk)) return;
    found.add(chunk);
    chunk.imports?.forEach(add);
  };
  names.forEach(add);
  return found;
}

async function weigh(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    [...new Set(files)].map(async (file) => gzipSync(await readFile(join(BUILT, file)), { level: 9 }).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}
