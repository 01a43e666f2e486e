import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { readCpuSeconds } from "../../../container/cpu-time.ts";
import { installFrameworks } from "../../support/recipes/install-frameworks.ts";
import { similarity } from "../compression/ffmpeg.ts";
import type { Picture } from "../previews/pictures.ts";
import { findWorkerd } from "../support/memory.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import { startVariants } from "./start-variants.ts";

const ROUNDS = 9;
/** The system counts processor time in steps of 10 ms, so several are measured together. */
const AT_ONCE = 20;
const WIDTH = 640;
const QUALITY = 75;

interface Limits {
  readonly name: string;
  readonly format: "jpg" | "webp";
  /** Processor time beside sharp's. */
  readonly atMost: number;
}

const CASES: readonly Limits[] = [
  { name: "JPEG 12 MP", format: "jpg", atMost: 1.3 },
  { name: "JPEG 12 MP progressive", format: "jpg", atMost: 0.5 },
  { name: "JPEG 12 MP", format: "webp", atMost: 2 },
  { name: "JPEG 12 MP progressive", format: "webp", atMost: 2 },
];

/**
 * Variants of photos at 640 pixels beside plain sharp and ipx, which uses sharp, on the same files, in turns: processor time without reading,
 * bytes, and the similarity to sharp's own picture before it is encoded.
 */
export async function benchBesideSharp(pictures: readonly Picture[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const limits of CASES) {
    const picture = pictures.find(({ name }) => name === limits.name);
    if (picture === undefined) throw new Error(`No picture ${limits.name}`);
    console.log(`variants: ${limits.name} to ${limits.format} at ${WIDTH} pixels`);
    targets.push(...(await benchCase(picture, limits)));
  }
  return targets;
}

async function benchCase({ type, file }: Picture, { format, atMost }: Limits): Promise<Target[]> {
  await using bench = await startVariants();
  const pid = await findWorkerd();
  await fetch(bench.url, { method: "PUT", headers: { "Content-Type": type }, body: new Uint8Array(file) });
  await using rival = await startIpx(file);
  const [ours, reading, theirs, ipxs]: [number[], number[], number[], number[]] = [[], [], [], []];
  const whole = new URL("/whole", bench.url);
  const variant = new URL(`/?w=${WIDTH}&q=${QUALITY}&fm=${format}`, bench.url);
  const asSharp = () => {
    const resized = sharp(file).resize(WIDTH);
    return (format === "jpg" ? resized.jpeg({ quality: QUALITY }) : resized.webp({ quality: QUALITY })).toBuffer();
  };
  sharp.concurrency(1);
  // Compilers of WebAssembly improve code that runs often.
  for (let round = 0; round < 5; round++) await get(variant);
  for (let round = 0; round < ROUNDS; round++) {
    reading.push(await cpuMs(pid, () => get(whole)));
    ours.push(await cpuMs(pid, () => get(variant)));
    theirs.push(await cpuMs(process.pid, asSharp));
    ipxs.push(await cpuMs(process.pid, () => rival.make(format)));
  }
  const product = await get(variant);
  const bySharp = await asSharp();
  const ideal = await sharp(file).resize(WIDTH).png().toBuffer();
  const [similar, rivalSimilar] = await Promise.all([
    similarity(product, ideal, "yuv420p"),
    similarity(bySharp, ideal, "yuv420p"),
  ]);
  const oursMs = median(ours) - median(reading);
  reportFigure("product", oursMs, "ms");
  reportFigure("sharp", median(theirs), "ms");
  reportFigure("ipx", median(ipxs), "ms");
  const bytes = reportTarget({ name: "bytes", value: product.length / bySharp.length, atMost: 1.02, unit: "x" });
  return [
    reportTarget({ name: "processor", value: oursMs / median(theirs), atMost, unit: "x" }),
    bytes,
    reportTarget({ name: "SSIM - sharp's", value: 1000 * (similar - rivalSimilar), atLeast: -3, unit: "thousandths" }),
  ];
}

interface Ipx extends AsyncDisposable {
  make(format: "jpg" | "webp"): Promise<unknown>;
}

/** ipx as a library, with its default options and one file. */
async function startIpx(file: Uint8Array): Promise<Ipx> {
  const dir = await mkdtemp(join(tmpdir(), "ipx-"));
  await writeFile(join(dir, "photo"), file);
  const { createIPX, ipxFSStorage } = await import(
    pathToFileURL(join(await installFrameworks(), "ipx/dist/index.mjs")).href
  );
  const ipx = createIPX({ storage: ipxFSStorage({ dir }) });
  return {
    make: (format) =>
      ipx("photo", { width: WIDTH, quality: QUALITY, format: format === "jpg" ? "jpeg" : format }).process(),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  };
}

async function get(url: URL): Promise<Buffer> {
  const answer = await fetch(url);
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(body.toString());
  return body;
}

async function cpuMs(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = readCpuSeconds(pid) ?? Number.NaN;
  for (let i = 0; i < AT_ONCE; i++) await work();
  return (((readCpuSeconds(pid) ?? Number.NaN) - before) * 1000) / AT_ONCE;
}
