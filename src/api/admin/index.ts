import { createRouter } from "../router.ts";
import { dropDeadLetters } from "./drop-dead-letters.ts";
import { getAccount } from "./get-account.ts";
import { getErasure } from "./get-erasure.ts";
import { getReconciliation } from "./get-reconciliation.ts";
import { invite } from "./invite.ts";
import { listAccountIntents } from "./list-account-intents.ts";
import { listDeadLetters } from "./list-dead-letters.ts";
import { listFailedThumbnails } from "./list-failed-thumbnails.ts";
import { listIntents } from "./list-intents.ts";
import { listInvitations } from "./list-invitations.ts";
import { listShards } from "./list-shards.ts";
import { moveAccount } from "./move-account.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { retryDeadLetters } from "./retry-dead-letters.ts";
import { retryIntent } from "./retry-intent.ts";
import { retryThumbnails } from "./retry-thumbnails.ts";
import { setTier } from "./set-tier.ts";
import { startReconciliation } from "./start-reconciliation.ts";
import { uninvite } from "./uninvite.ts";
import { updateSchema } from "./update-schema.ts";
import { updateShard } from "./update-shard.ts";

export const admin = createRouter();

for (const endpoint of [
  dropDeadLetters,
  getAccount,
  invite,
  listAccountIntents,
  listDeadLetters,
  listFailedThumbnails,
  listIntents,
  listInvitations,
  getErasure,
  getReconciliation,
  reconcileAccount,
  startReconciliation,
  listShards,
  moveAccount,
  retryDeadLetters,
  retryIntent,
  retryThumbnails,
  setTier,
  uninvite,
  updateSchema,
  updateShard,
]) {
  admin.route("/", endpoint);
}
