import type { CdnEnv } from "./env.ts";
import { serveFile } from "./serve-file.ts";

export { ViewJournal } from "./view-journal.ts";

export default {
  fetch: serveFile,
} satisfies ExportedHandler<CdnEnv>;
