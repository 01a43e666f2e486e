import { createRouter } from "../router.ts";
import { listAlerts } from "./list-alerts.ts";

export const alerts = createRouter();

for (const endpoint of [listAlerts]) alerts.route("/", endpoint);
