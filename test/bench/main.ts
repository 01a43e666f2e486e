import { benchAbuse } from "./abuse.ts";
import { benchBundle } from "./bundle.ts";
import { benchCode } from "./code.ts";
import { benchCompression } from "./compression.ts";
import { benchCrowd } from "./crowd.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchFiles } from "./files.ts";
import { benchImport } from "./import.ts";
import { benchLibrary } from "./library.ts";
import { benchLimits } from "./limits.ts";
import { benchList } from "./list.ts";
import { benchPlaceholders } from "./placeholders.ts";
import { benchPreviews } from "./previews.ts";
import { benchPull } from "./pull.ts";
import { benchRange } from "./range.ts";
import { benchResumable } from "./resumable.ts";
import { benchScale } from "./scale.ts";
import { benchShares } from "./shares.ts";
import { benchSlowCrowd } from "./slow-crowd.ts";
import { benchSlowReaders } from "./slow-readers.ts";
import { isMet, type Target } from "./support/report.ts";
import { benchThumbnails } from "./thumbnails.ts";
import { benchUpload } from "./upload.ts";
import { benchVariants } from "./variants.ts";
import { benchViews } from "./views.ts";

/**
 * `npm run bench [-- names... --assert]`: the product against bare Workers that do only the platform's call, side by side on this machine.
 * With `--assert` a missed target is an error.
 */

const BENCHMARKS = new Map<string, () => Promise<Target[]>>([
  ["range", benchRange],
  ["files", benchFiles],
  ["upload", benchUpload],
  ["resumable", benchResumable],
  ["crowd", benchCrowd],
  ["slow-crowd", benchSlowCrowd],
  ["slow-readers", benchSlowReaders],
  ["list", benchList],
  ["library", benchLibrary],
  ["scale", benchScale],
  ["shares", benchShares],
  ["views", benchViews],
  ["limits", benchLimits],
  ["compression", benchCompression],
  ["previews", benchPreviews],
  ["placeholders", benchPlaceholders],
  ["variants", benchVariants],
  ["thumbnails", benchThumbnails],
  ["bundle", benchBundle],
  ["code", benchCode],
  ["dashboard", benchDashboard],
  ["pull", benchPull],
  ["import", benchImport],
  ["abuse", benchAbuse],
]);

const args = process.argv.slice(2);
const asked = args.filter((arg) => arg !== "--assert");
const unknown = asked.filter((name) => !BENCHMARKS.has(name));
if (unknown.length > 0) {
  console.error(`error: no benchmark ${unknown.join(", ")}; there are: ${[...BENCHMARKS.keys()].join(", ")}`);
  process.exit(2);
}

const targets: Target[] = [];
for (const [name, bench] of BENCHMARKS) {
  if (asked.length === 0 || asked.includes(name)) targets.push(...(await bench()));
}
if (args.includes("--assert") && !targets.every(isMet)) process.exitCode = 1;
