import type { CdnEnv } from "../../../src/cdn/env.ts";
import { serveFile } from "../../../src/cdn/serve-file.ts";

/** The CDN Worker with counting off. */
export default {
  fetch: (request: Request, env: CdnEnv): Promise<Response> =>
    serveFile(request, { ...env, FILE_MAX_AGE_SECONDS: "300" }, () => {}),
};
