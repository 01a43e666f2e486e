import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { type Stack, startBare } from "../../support/stack/miniflare.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { measureInTurn, median } from "../support/rounds.ts";
import type { Picture } from "./pictures.ts";

const ROUNDS = 7;
/** Of photos of 12 MP, dashboard, section 5. */
const MAX_MS = 60;
const MAX_SHARE_READ = 0.4;

interface Measured {
  readonly name: string;
  readonly firstMs: number;
  readonly ms: number;
  readonly shareRead: number;
  readonly previewBytes: number;
}

/** What each kind of picture costs: time in the Codec Worker beyond reading the file, and how much of the file is read. */
export async function benchKinds(pictures: readonly Picture[]): Promise<Target[]> {
  console.log(`  ${"".padEnd(24)}  median      first  read   preview`);
  const measured: Measured[] = [];
  for (const picture of pictures) {
    const one = await measure(picture);
    const [ms, firstMs] = [one.ms, one.firstMs].map((value) => value.toFixed(1).padStart(7));
    const read = `${(one.shareRead * 100).toFixed(0)} %`.padStart(5);
    console.log(`  ${one.name.padEnd(24)} ${ms} ms ${firstMs} ms ${read} ${(one.previewBytes / 1000).toFixed(1)} KB`);
    measured.push(one);
  }
  const photos = measured.filter(({ name }) => name.startsWith("JPEG 12 MP"));
  const progressive = measured.filter(({ name }) => name === "JPEG 12 MP progressive");
  return [
    ...photos.map(({ name, ms }) => reportTarget({ name, value: ms, atMost: MAX_MS, unit: "ms" })),
    ...progressive.map(({ shareRead }) =>
      reportTarget({ name: "progressive, read", value: shareRead, atMost: MAX_SHARE_READ }),
    ),
  ];
}

/** In a workerd of its own: the first preview finds nothing compiled. */
async function measure({ name, type, file }: Picture): Promise<Measured> {
  await using bench = await startPreviews();
  await fetch(bench.url, { method: "PUT", body: new Uint8Array(file) });
  const asked = new URL(`/?type=${encodeURIComponent(type)}`, bench.url);
  let [firstMs, previewBytes, bytesRead] = [0, 0, 0];
  const timed = async (url: URL): Promise<number> => {
    const started = performance.now();
    const answer = await fetch(url);
    const body = await answer.arrayBuffer();
    const ms = performance.now() - started;
    if (answer.status !== 200) throw new Error(`${name}: ${new TextDecoder().decode(body)}`);
    if (url !== asked) return ms;
    firstMs ||= ms;
    previewBytes = body.byteLength;
    bytesRead = Number(answer.headers.get("bytes-read"));
    return ms;
  };
  const whole = new URL("/whole", bench.url);
  const { product, bare } = await measureInTurn(ROUNDS, { product: () => timed(asked), bare: () => timed(whole) });
  const shareRead = bytesRead / file.length;
  return { name, firstMs, ms: median(product) - shareRead * median(bare), shareRead, previewBytes };
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
