import { createRouter } from "../router.ts";
import { getTool } from "./get-tool.ts";
import { listTools } from "./list-tools.ts";

export const toolFiles = createRouter();

for (const endpoint of [listTools, getTool]) toolFiles.route("/", endpoint);
