import { createRouter } from "../router.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { getAccount } from "./get-account.ts";
import { getErasure } from "./get-erasure.ts";
import { updateAccount } from "./update-account.ts";

export const account = createRouter();

for (const endpoint of [getAccount, updateAccount, deleteAccount, exportAccount, getErasure])
  account.route("/", endpoint);
