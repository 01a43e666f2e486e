import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { build } from "vite";
import { ICON } from "./assets.ts";
import { isFresh } from "./is-fresh.ts";

/** The sources of the pages, besides the packages of package-lock.json. */
const SOURCES = ["src/dashboard", "src/client", "src/domain"];
const OUT = ".assets/dashboard";
/** The manifest, which is written last and names every other file (src/tools/bundle-size.ts). */
const BUILT = join(OUT, "manifest.json");

/** Builds the dashboard into `.assets`, unless it is newer than all its sources. */
export async function buildDashboard(): Promise<void> {
  const sources = (await Promise.all(SOURCES.map(listFiles))).flat();
  if (await isFresh(BUILT, [...sources, "package-lock.json", fileURLToPath(import.meta.url)])) return;
  // The folder is replaced as a whole, because another stack may serve the old files.
  const fresh = `.wrangler/dashboard-${process.pid}`;
  await inProduction(() =>
    build({
      configFile: "src/dashboard/vite.config.ts",
      logLevel: "warn",
      build: { outDir: join(process.cwd(), fresh) },
    }),
  );
  await drawIcons(join(fresh, "app"));
  await rm(OUT, { recursive: true, force: true });
  await rename(fresh, OUT);
}

/** Draws the icons of the installed dashboard (public/app/manifest.webmanifest). Systems cut a shape of their own out of a square one. */
async function drawIcons(folder: string): Promise<void> {
  const icon = await readFile(ICON, "utf8");
  const square = icon.replace(/ rx="\d+"/, "");
  const draw = (svg: string, size: number, name: string) =>
    sharp(Buffer.from(svg), { density: (72 * size) / 22 })
      .resize(size, size)
      .png()
      .toFile(join(folder, name));
  await draw(icon, 192, "icon-192.png");
  await draw(icon, 512, "icon-512.png");
  await draw(square, 512, "maskable-512.png");
  await draw(square, 180, "apple-180.png");
}

/**
 * A test that builds may have another NODE_ENV, and Vite would then take React's development version, which all stacks would serve from
 * then on.
 */
async function inProduction(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await work().finally(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
