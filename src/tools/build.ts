import { buildAssets } from "./build/assets.ts";
import { buildJpegEngine } from "./build/jpeg-engine.ts";

/** `npm run build`: makes what the Workers need and what is not kept in the tree. */
await Promise.all([buildAssets(), buildJpegEngine()]);
