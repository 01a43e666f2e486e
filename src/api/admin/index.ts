import { createRouter } from "../router.ts";
import { getAccount } from "./get-account.ts";
import { listShards } from "./list-shards.ts";
import { moveAccount } from "./move-account.ts";
import { retryThumbnails } from "./retry-thumbnails.ts";
import { setTier } from "./set-tier.ts";
import { updateSchema } from "./update-schema.ts";
import { updateShard } from "./update-shard.ts";

export const admin = createRouter();

for (const endpoint of [getAccount, listShards, moveAccount, retryThumbnails, setTier, updateSchema, updateShard]) {
  admin.route("/", endpoint);
}
