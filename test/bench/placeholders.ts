import sharp from "sharp";
import { readCpuSeconds } from "../../container/cpu-time.ts";
import type { MediaType } from "../../src/domain/media-types.ts";
import { bundleWorker } from "../../src/tools/local/bundle-worker.ts";
import { startBare } from "../support/stack/miniflare.ts";
import { photograph } from "./compression/pictures.ts";
import { findWorkerd } from "./support/memory.ts";
import { reportTarget, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const ROUNDS = 5;
const TIMES = 20;
const MAX_MS = 4;

interface Case {
  readonly name: string;
  readonly type: MediaType;
  readonly file: Buffer;
  /** The work with a placeholder, and the same without. */
  readonly paths: readonly [string, string];
}

/** The processor time that a placeholder adds to an upload: of the largest images whose answer has it. */
export async function benchPlaceholders(): Promise<Target[]> {
  console.log("placeholders: processor time of workerd beyond the same upload without one");
  const targets: Target[] = [];
  for (const each of await makeCases()) {
    const value = await addedMs(each);
    targets.push(reportTarget({ name: each.name.padEnd(34), value, atMost: MAX_MS, unit: "ms" }));
  }
  return targets;
}

async function makeCases(): Promise<Case[]> {
  const { data, info } = await photograph(4032, 3024, 5).raw().toBuffer({ resolveWithObject: true });
  const photo = (width: number, height: number) => sharp(data, { raw: info }).resize(width, height);
  const quick = ["/placeholder", "/reading"] as const;
  const compressed = ["/compression?placeholder", "/compression"] as const;
  const cases: readonly (readonly [string, MediaType, Promise<Buffer>, Case["paths"]])[] = [
    ["JPEG 96 KB", "image/jpeg", photo(640, 480).jpeg({ quality: 85 }).toBuffer(), quick],
    ["PNG 0.04 MP", "image/png", photo(230, 173).png().toBuffer(), quick],
    ["GIF 0.04 MP", "image/gif", photo(230, 173).gif({ dither: 0 }).toBuffer(), quick],
    ["WebP 0.04 MP", "image/webp", photo(230, 173).webp().toBuffer(), quick],
    ["JPEG 12 MP, compressed", "image/jpeg", photo(4032, 3024).jpeg({ quality: 85 }).toBuffer(), compressed],
    ["WebP 1 MP, compressed", "image/webp", photo(1160, 870).webp({ quality: 95 }).toBuffer(), compressed],
  ];
  return Promise.all(cases.map(async ([name, type, file, paths]) => ({ name, type, file: await file, paths })));
}

async function addedMs({ name, type, file, paths }: Case): Promise<number> {
  const serviceBindings = { CODECS: { name: "bench-codecs", entrypoint: "Codecs" } };
  await using bench = await startBare("placeholders.ts", { serviceBindings }, [
    {
      name: "bench-codecs",
      modules: await bundleWorker("src/codecs/worker.ts", { minify: false }),
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
    },
  ]);
  const pid = await findWorkerd();
  await fetch(bench.url, { method: "PUT", headers: { "Content-Type": type }, body: new Uint8Array(file) });
  const ask = async (path: string) => {
    const answer = await fetch(new URL(path, bench.url));
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const processorMs = async (path: string) => {
    const before = readCpuSeconds(pid) ?? Number.NaN;
    for (let time = 0; time < TIMES; time++) await ask(path);
    return (((readCpuSeconds(pid) ?? Number.NaN) - before) * 1000) / TIMES;
  };
  // Compilers of WebAssembly improve code that runs often.
  for (const path of paths) await processorMs(path);
  const added: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    added.push((await processorMs(paths[0])) - (await processorMs(paths[1])));
  return median(added);
}
