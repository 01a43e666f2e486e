import { gzipSync } from "node:zlib";
import { bundleWorker } from "../../src/tools/local/bundle-worker.ts";
import { reportFigure, reportTarget, type Target } from "./support/report.ts";

/** The size of the bundle that a cold start loads. */
export async function benchBundle(): Promise<Target[]> {
  console.log("bundle: minified, gzip");
  reportFigure("API Worker", await gzipKb("src/worker.ts"), "KB");
  reportFigure("Codec Worker", await gzipKb("src/codecs/worker.ts"), "KB");
  return [reportTarget({ name: "CDN Worker", value: await gzipKb("src/cdn/worker.ts"), atMost: 25, unit: "KB" })];
}

async function gzipKb(entry: string): Promise<number> {
  const modules = await bundleWorker(entry, { minify: true });
  return modules.reduce((sum, { contents }) => sum + gzipSync(contents).length / 1024, 0);
}
