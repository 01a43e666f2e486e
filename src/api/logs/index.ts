import { createRouter } from "../router.ts";
import { listLogs } from "./list-logs.ts";

export const logs = createRouter();

for (const endpoint of [listLogs]) logs.route("/", endpoint);
