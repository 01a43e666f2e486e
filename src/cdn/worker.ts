import type { CdnEnv } from "./env.ts";
import { serveFile } from "./serve-file.ts";
import { recordView } from "./views.ts";

export { ViewJournal } from "./view-journal.ts";

export default {
  // Nobody waits for a view to be counted.
  fetch: (request, env, ctx) => serveFile(request, env, (file) => ctx.waitUntil(recordView(env, file))),
} satisfies ExportedHandler<CdnEnv>;
