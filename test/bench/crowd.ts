import { CompressionHost } from "../support/media/compression.ts";
import { sendCrowd } from "../support/uploads/crowd.ts";
import { reportFigure, reportSpread, reportTarget, type Target } from "./support/report.ts";

const ROUNDS = 3;

/** What isolates hold, and how long somebody else waits, while 79 uploads of every kind come at once. */
export async function benchCrowd(): Promise<Target[]> {
  console.log(
    `crowd: 60 clients that stop within a part, 10 videos, 8 photos of 12 MP, a PNG of 24 MP; ${ROUNDS} rounds`,
  );
  const held: number[][] = [[], []];
  const worstMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using host = await CompressionHost.start({}, { isInspected: true });
    const { answers, heldBytes, bystanderMs } = await sendCrowd(host);
    for (const [i, measured] of heldBytes.entries()) held[i]?.push(Math.max(...measured) / 1e6);
    worstMs.push(Math.max(...bystanderMs));
    reportFigure("stored", answers.filter(({ status }) => status === 201).length, `of ${answers.length}`);
    reportSpread("a small upload", bystanderMs, "ms");
  }
  return [
    reportTarget({ name: "API isolate", value: Math.max(...(held[0] ?? [])), atMost: 100, unit: "MB" }),
    reportTarget({ name: "codec isolate", value: Math.max(...(held[1] ?? [])), atMost: 100, unit: "MB" }),
    reportTarget({ name: "worst wait", value: Math.max(...worstMs), atMost: 2000, unit: "ms" }),
  ];
}
