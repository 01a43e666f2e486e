import { createRouter } from "../router.ts";
import { adminAccounts } from "./accounts.ts";
import { invitations } from "./invitations.ts";
import { moderation } from "./moderation.ts";
import { overview } from "./overview.ts";
import { repairs } from "./repairs.ts";
import { shards } from "./shards.ts";

export const admin = createRouter();

for (const endpoints of [adminAccounts, invitations, moderation, overview, repairs, shards])
  admin.route("/", endpoints);
