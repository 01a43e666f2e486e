import { CompressionHost } from "../support/media/compression.ts";
import { startBare } from "../support/stack/miniflare.ts";
import {
  type Crowd,
  type CrowdImages,
  type MeasuredCrowd,
  makeCrowdImages,
  measureCrowd,
  sendCrowd,
} from "../support/uploads/crowd.ts";
import { reportFigure, reportSpread, reportTarget, type Target } from "./support/report.ts";

const ROUNDS = 3;

/**
 * The memory of isolates, and the wait of another client, while 79 uploads of every kind arrive at once. A bare Worker that puts the same
 * bodies into R2 shows the simulator's part of that wait: its one thread serves all.
 */
export async function benchCrowd(): Promise<Target[]> {
  console.log(
    `crowd: 60 clients that stop within a part, 10 videos, 8 photos of 12 MP, a PNG of 24 MP; ${ROUNDS} rounds`,
  );
  const images = await makeCrowdImages();
  const held: number[][] = [[], []];
  const worstMs = { product: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { answers, heldBytes, bystanderMs } = await atProduct(images);
    for (const [i, measured] of heldBytes.entries()) held[i]?.push(Math.max(...measured) / 1e6);
    worstMs.product.push(Math.max(...bystanderMs));
    const floor = await atBare(images);
    worstMs.bare.push(Math.max(...floor.bystanderMs));
    reportFigure("stored", answers.filter(({ status }) => status === 201).length, `of ${answers.length}`);
    reportSpread("a small upload", bystanderMs, "ms");
    reportSpread("  to a bare Worker", floor.bystanderMs, "ms");
  }
  reportSpread("worst wait", worstMs.product, "ms");
  reportSpread("  of a bare Worker", worstMs.bare, "ms");
  return [
    reportTarget({ name: "API isolate", value: Math.max(...(held[0] ?? [])), atMost: 100, unit: "MB" }),
    reportTarget({ name: "codec isolate", value: Math.max(...(held[1] ?? [])), atMost: 100, unit: "MB" }),
    reportTarget({ name: "worst wait", value: Math.max(...worstMs.product), atMost: 2000, unit: "ms" }),
  ];
}

// Each has the machine to itself, because after a crowd a stack still makes thumbnails.

async function atProduct(images: CrowdImages): Promise<MeasuredCrowd> {
  await using host = await CompressionHost.start({}, { isInspected: true });
  return await measureCrowd(host, images);
}

async function atBare(images: CrowdImages): Promise<Crowd> {
  await using bare = await startBare("upload.ts");
  return await sendCrowd(bare.url, { crowd: "", bystander: "" }, images);
}
