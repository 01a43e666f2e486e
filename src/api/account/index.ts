import { createRouter } from "../router.ts";
import { deleteAccount } from "./delete-account.ts";
import { getAccount } from "./get-account.ts";
import { updateAccount } from "./update-account.ts";

export const account = createRouter();

for (const endpoint of [getAccount, updateAccount, deleteAccount]) account.route("/", endpoint);
