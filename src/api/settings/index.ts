import { createRouter } from "../router.ts";
import { getSettings } from "./get-settings.ts";
import { updateSettings } from "./update-settings.ts";

export const settings = createRouter();

for (const endpoint of [getSettings, updateSettings]) settings.route("/", endpoint);
