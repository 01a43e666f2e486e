import { createRouter } from "../router.ts";
import { getAccount } from "./get-account.ts";
import { invite } from "./invite.ts";
import { listInvitations } from "./list-invitations.ts";
import { listShards } from "./list-shards.ts";
import { moveAccount } from "./move-account.ts";
import { retryThumbnails } from "./retry-thumbnails.ts";
import { setTier } from "./set-tier.ts";
import { uninvite } from "./uninvite.ts";
import { updateSchema } from "./update-schema.ts";
import { updateShard } from "./update-shard.ts";

export const admin = createRouter();

for (const endpoint of [
  getAccount,
  invite,
  listInvitations,
  listShards,
  moveAccount,
  retryThumbnails,
  setTier,
  uninvite,
  updateSchema,
  updateShard,
]) {
  admin.route("/", endpoint);
}
