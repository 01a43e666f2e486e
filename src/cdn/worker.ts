import type { CdnEnv } from "./env.ts";
import { httpsOnly } from "./https-only.ts";
import { serveFile } from "./serve-file.ts";
import { recordView } from "./views.ts";

export { VariantBudget } from "./variants/variant-budget.ts";
export { VariantMaker } from "./variants/variant-maker.ts";
export { ViewJournal } from "./view-journal.ts";

export default {
  // The viewer does not wait until the view is counted.
  fetch: (request, env, ctx) =>
    httpsOnly(request, () => serveFile(request, env, (file, bytes) => ctx.waitUntil(recordView(env, file, bytes)))),
} satisfies ExportedHandler<CdnEnv>;
