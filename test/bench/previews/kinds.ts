import { readCpuSeconds } from "../../../container/cpu-time.ts";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { type Stack, startBare } from "../../support/stack/miniflare.ts";
import { findWorkerd } from "../support/memory.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import type { Picture } from "./pictures.ts";

const ROUNDS = 15;
/** The targets for photos of 12 MP. */
const MAX_MS = 45;
const MAX_PROGRESSIVE_MS = 22;
const MAX_SHARE_READ = 0.4;

interface Measured {
  readonly name: string;
  /** The processor time of all workerd threads for one preview, beyond reading the same part of the file. */
  readonly processorMs: number;
  /** The time from the request to the answer's end: for the first, which finds nothing compiled, and for the others. */
  readonly firstMs: number;
  readonly ms: number;
  readonly shareRead: number;
  readonly previewBytes: number;
}

/** The cost of each kind of picture in the Codec Worker, and the part of the file that is read. */
export async function benchKinds(pictures: readonly Picture[]): Promise<Target[]> {
  console.log(`  ${"".padEnd(24)}  processor     median      first   read  preview`);
  const measured: Measured[] = [];
  for (const picture of pictures) {
    const one = await measure(picture);
    const times = [one.processorMs, one.ms, one.firstMs].map((ms) => `${ms.toFixed(1).padStart(8)} ms`).join("");
    const read = `${(one.shareRead * 100).toFixed(0)} %`.padStart(6);
    console.log(`  ${one.name.padEnd(24)} ${times} ${read}  ${(one.previewBytes / 1000).toFixed(1)} KB`);
    measured.push(one);
  }
  const photos = measured.filter(({ name }) => name.startsWith("JPEG 12 MP"));
  const progressive = measured.filter(({ name }) => name === "JPEG 12 MP progressive");
  return [
    ...photos.map(({ name, processorMs }) => {
      const atMost = name.endsWith("progressive") ? MAX_PROGRESSIVE_MS : MAX_MS;
      return reportTarget({ name: `${name}, processor`, value: processorMs, atMost, unit: "ms" });
    }),
    ...progressive.map(({ shareRead }) =>
      reportTarget({ name: "progressive, read", value: shareRead, atMost: MAX_SHARE_READ }),
    ),
  ];
}

/** Measures in a fresh workerd. */
async function measure({ name, type, file }: Picture): Promise<Measured> {
  await using bench = await startPreviews();
  const pid = await findWorkerd();
  await fetch(bench.url, { method: "PUT", headers: { "Content-Type": type }, body: new Uint8Array(file) });
  const counted = new URL("/counted", bench.url);
  let [previewBytes, bytesRead] = [0, 0];
  const ask = async (url: URL): Promise<number> => {
    const started = performance.now();
    const answer = await fetch(url);
    const body = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${name}: ${new TextDecoder().decode(body)}`);
    if (url === counted) [previewBytes, bytesRead] = [body.byteLength, Number(answer.headers.get("bytes-read"))];
    return performance.now() - started;
  };
  const askAll = async (url: URL) => {
    const before = readCpuSeconds(pid) ?? Number.NaN;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await ask(url));
    return { ms: median(times), processorMs: (((readCpuSeconds(pid) ?? Number.NaN) - before) * 1000) / ROUNDS };
  };
  const firstMs = await ask(bench.url);
  // Compilers of WebAssembly improve code that runs often.
  await ask(counted);
  const previews = await askAll(bench.url);
  const shareRead = bytesRead / file.length;
  const reading = await askAll(new URL("/whole", bench.url));
  const processorMs = previews.processorMs - shareRead * reading.processorMs;
  return { name, processorMs, firstMs, ms: previews.ms, shareRead, previewBytes };
}

async function startPreviews(): Promise<Stack> {
  const serviceBindings = { CODECS: { name: "bench-codecs", entrypoint: "Codecs" } };
  return startBare("previews.ts", { serviceBindings }, [
    {
      name: "bench-codecs",
      modules: await bundleWorker("src/codecs/worker.ts", { minify: false }),
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
    },
  ]);
}
