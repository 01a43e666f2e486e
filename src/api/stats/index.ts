import { createRouter } from "../router.ts";
import { getOverview } from "./get-overview.ts";

export const stats = createRouter();

for (const endpoint of [getOverview]) stats.route("/", endpoint);
