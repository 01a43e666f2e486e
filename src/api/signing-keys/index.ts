import { createRouter } from "../router.ts";
import { createSigningKey } from "./create-signing-key.ts";
import { deleteSigningKey } from "./delete-signing-key.ts";
import { listSigningKeys } from "./list-signing-keys.ts";

export const signingKeys = createRouter();

for (const endpoint of [listSigningKeys, createSigningKey, deleteSigningKey]) signingKeys.route("/", endpoint);
