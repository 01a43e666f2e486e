import { createRouter } from "../router.ts";
import { getAccount } from "./get-account.ts";
import { retryThumbnails } from "./retry-thumbnails.ts";
import { setTier } from "./set-tier.ts";
import { updateSchema } from "./update-schema.ts";

export const admin = createRouter();

for (const endpoint of [getAccount, retryThumbnails, setTier, updateSchema]) admin.route("/", endpoint);
