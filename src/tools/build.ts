import { buildAssets } from "./build/assets.ts";
import { buildCli } from "./build/cli.ts";
import { buildClient } from "./build/client.ts";
import { buildDashboard } from "./build/dashboard.ts";
import { buildEngine } from "./build/engine.ts";

/** `npm run build`: makes what the Workers need and what is not kept in the tree. */
await Promise.all([
  buildAssets().then(buildDashboard),
  buildClient(),
  buildCli(),
  // Names of their own: a Worker's modules lie in one folder.
  buildEngine("src/media/jpeg/engine/index.ts", "src/media/jpeg/engine/jpeg-engine.wasm"),
  buildEngine("src/media/png/engine/index.ts", "src/media/png/engine/png-engine.wasm"),
  buildEngine("src/media/preview/engine/index.ts", "src/media/preview/engine/preview-engine.wasm"),
]);
