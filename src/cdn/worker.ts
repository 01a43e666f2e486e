import type { FileViewed } from "../domain/queue-messages.ts";
import type { CdnEnv } from "./env.ts";
import { serveFile } from "./serve-file.ts";

export default {
  fetch: serveFile,
} satisfies ExportedHandler<CdnEnv, FileViewed>;
