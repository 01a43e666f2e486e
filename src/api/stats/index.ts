import { createRouter } from "../router.ts";
import { getOperations } from "./get-operations.ts";
import { getOverview } from "./get-overview.ts";

export const stats = createRouter();

for (const endpoint of [getOverview, getOperations]) stats.route("/", endpoint);
