import { ERRORS } from "../domain/errors.ts";
import { isExposed, STRICT_TRANSPORT, secureAddress } from "../domain/https-only.ts";
import type { CdnEnv } from "./env.ts";
import { errorHeaders } from "./headers.ts";
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

/** Answers requests over HTTPS and on loopback. Other reads are redirected, everything else is refused (SVC-9). */
async function httpsOnly(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (request.url.startsWith("https:")) {
    const response = await answer();
    response.headers.set(STRICT_TRANSPORT.name, STRICT_TRANSPORT.value);
    return response;
  }
  const url = new URL(request.url);
  if (isExposed(url)) {
    const secure = secureAddress(request, url);
    if (secure !== undefined) return new Response(null, { status: 308, headers: { Location: secure } });
    const error = ERRORS.HttpsRequired();
    return Response.json(error.toBody(), { status: error.statusCode, headers: errorHeaders(error) });
  }
  return answer();
}
