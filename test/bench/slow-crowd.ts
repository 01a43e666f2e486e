import { CompressionHost } from "../support/media/compression.ts";
import { makeCrowdImages } from "../support/uploads/crowd.ts";
import { measureSlowCrowd, SLOW_CROWDS } from "../support/uploads/slow-crowd.ts";
import { reportFigure, reportSpread, reportTarget, type Target } from "./support/report.ts";

/**
 * 200 clients each send 700 KB at once and then a byte a second: the memory of the API Worker's isolate, and the time that another
 * account's small upload takes.
 */
export async function benchSlowCrowd(): Promise<Target[]> {
  const { photo } = await makeCrowdImages();
  const targets: Target[] = [];
  for (const { name, ...crowd } of SLOW_CROWDS) {
    console.log(`slow crowd: ${name}`);
    await using host = await CompressionHost.start({}, { isInspected: true, isQuiet: true });
    const { usedBytes, heldBytes, bystanderMs, answers } = await measureSlowCrowd(host, { ...crowd, photo });
    reportFigure("slow clients refused", answers.length, "of 200");
    reportSpread("a small upload", bystanderMs, "ms");
    const [used, held] = [usedBytes, heldBytes].map((bytes) => Math.max(...bytes) / 1e6);
    targets.push(
      reportTarget({ name: "before a collection", value: used ?? Number.NaN, atMost: 100, unit: "MB" }),
      reportTarget({ name: "after a collection", value: held ?? Number.NaN, atMost: 100, unit: "MB" }),
      // Three accounts may hold all the memory for uploads until their slow clients are disconnected.
      reportTarget({
        name: "worst wait",
        value: Math.max(...bystanderMs),
        atMost: crowd.accounts < 3 ? 2000 : 15_000,
        unit: "ms",
      }),
    );
  }
  return targets;
}
