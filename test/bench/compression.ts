import { startProcessor } from "../support/processor/start-processor.ts";
import { hasFfmpeg } from "./compression/ffmpeg.ts";
import { bytesRatio, judgeSpeed, type Measured, secondsRatio } from "./compression/judge.ts";
import { measureUpload, type UploadGrowth } from "./compression/memory.ts";
import { compareQuality, requireSamePixels } from "./compression/quality.ts";
import { QUALITY } from "./compression/rival.ts";
import { makeSources, type Source } from "./compression/sources.ts";
import { compareSpeed } from "./compression/speed.ts";
import { Table } from "./compression/table.ts";
import { benchWaits } from "./compression/waits.ts";
import { reportFigure, reportTarget, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const MB = 1024 * 1024;
const CONCURRENT_UPLOADS = 8;
const FRESH_PROCESSES = 3;
const NAME_WIDTH = 33;
/** The targets for the growth of memory by one image. */
const GROWTH_GOALS_MB: ReadonlyMap<string, number> = new Map([
  ["JPEG 24 MP", 17],
  ["JPEG 48 MP", 40],
  ["PNG photo 4 MP", 40],
]);

/** Images of every kind, compressed by the product inside workerd and by sharp. */
export async function benchCompression(): Promise<Target[]> {
  console.log(`compression: quality ${QUALITY}, against sharp on one thread (mozjpeg progressive, PNG level 9, WebP)`);
  const sources = await makeSources();
  await using processor = await startProcessor();
  return [
    ...judgeSpeed(await compareAll(sources, processor.url)),
    ...(await benchWaits(sources, processor.url)),
    ...(await benchMemory(sources, processor.url)),
  ];
}

async function compareAll(sources: readonly Source[], processorUrl: URL): Promise<Measured[]> {
  const canCompare = await hasFfmpeg();
  if (!canCompare) console.log("  SSIM is left out: ffmpeg is not in PATH");
  console.log(
    "  p: by the media processor, as it is over the isolate's budget. first: in a fresh process. all: both filterings",
  );
  const table = new Table(NAME_WIDTH, [
    ...[
      "image",
      " source KB",
      "product KB",
      "  sharp KB",
      "ratio",
      " first s",
      " product s",
      " sharp s",
      "  all s",
      "ratio",
    ],
    ...["product SSIM", "sharp SSIM", "WebAssembly MB"],
  ]);
  const measured: Measured[] = [];
  for (const source of sources) {
    const comparison = await compareSpeed(source, processorUrl);
    if (source.isLossless) await requireSamePixels(comparison);
    const quality = canCompare && !source.isLossless ? await compareQuality(comparison) : undefined;
    measured.push({ ...comparison, quality });
    table.print(toCells({ ...comparison, quality }));
  }
  return measured;
}

function toCells(measured: Measured): string[] {
  const { source, product, sharp, quality } = measured;
  const mark = { isolate: "", processor: " p", nobody: " kept" }[product.doneBy];
  return [
    source.name + mark,
    ...[source.file, product.file, sharp.file].map(({ length }) => (length / 1024).toFixed(0)),
    bytesRatio(measured).toFixed(2),
    ...[product.firstSeconds, product.seconds, sharp.seconds, sharp.allSeconds].map((seconds) => seconds.toFixed(3)),
    secondsRatio(measured).toFixed(2),
    ...(source.isLossless
      ? ["same", "same"]
      : [quality?.product, quality?.sharp].map((ssim) => ssim?.toFixed(4) ?? "-")),
    (product.webAssemblyBytes / MB).toFixed(1),
  ];
}

async function benchMemory(sources: readonly Source[], processorUrl: URL): Promise<Target[]> {
  console.log(
    "  peak memory of workerd over idle in MB, each upload in a fresh process; off: the same file, not compressed",
  );
  const upload = (processes: number, files: readonly Uint8Array[], autoCompress: boolean) =>
    medianGrowth(processes, () => measureUpload(files, { autoCompress, processorUrl }));
  const table = new Table(NAME_WIDTH, [
    "image",
    "source",
    "stored",
    "growth",
    "growth - source",
    "growth off",
    "growth - off",
  ]);
  const growths: number[] = [];
  const goals: Target[] = [];
  const overSource: number[] = [];
  for (const { name, file, megapixels } of sources) {
    const isLargest = megapixels > 48;
    const processes = isLargest ? FRESH_PROCESSES : 1;
    const { growthBytes, storedBytes } = await upload(processes, [file], true);
    const off = await upload(processes, [file], false);
    const overSourceBytes = growthBytes - file.length;
    const figures = [
      file.length,
      storedBytes,
      growthBytes,
      overSourceBytes,
      off.growthBytes,
      growthBytes - off.growthBytes,
    ];
    table.print([name, ...figures.map((bytes) => (bytes / MB).toFixed(1))]);
    growths.push(growthBytes / MB);
    const atMost = GROWTH_GOALS_MB.get(name);
    if (atMost !== undefined) goals.push(reportTarget({ name, value: growthBytes / MB, atMost, unit: "MB" }));
    if (isLargest) overSource.push(overSourceBytes / MB);
  }
  const photos = sources.filter(({ type, megapixels }) => type === "image/jpeg" && Math.round(megapixels) === 12);
  const together = Array.from(
    { length: CONCURRENT_UPLOADS },
    (_, index) => photos[index % photos.length]?.file ?? Buffer.of(),
  );
  const eight = await upload(FRESH_PROCESSES, together, true);
  reportFigure("eight at once, off", (await upload(FRESH_PROCESSES, together, false)).growthBytes / MB, "MB");
  return [
    ...goals,
    reportTarget({ name: "48 MP over source", value: Math.max(...overSource), atMost: 48, unit: "MB" }),
    reportTarget({ name: "any one upload", value: Math.max(...growths), atMost: 100, unit: "MB" }),
    reportTarget({ name: "eight 12 MP JPEGs", value: eight.growthBytes / MB, atMost: 140, unit: "MB" }),
  ];
}

async function medianGrowth(processes: number, measure: () => Promise<UploadGrowth>): Promise<UploadGrowth> {
  const uploads: UploadGrowth[] = [];
  for (let count = 0; count < processes; count++) uploads.push(await measure());
  return {
    growthBytes: median(uploads.map(({ growthBytes }) => growthBytes)),
    storedBytes: median(uploads.map(({ storedBytes }) => storedBytes)),
  };
}
