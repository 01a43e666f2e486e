import type { ListedSigningKey } from "../../services/accounts/signing-keys.ts";

export function toSigningKeyBody({ id, name, createdAt }: ListedSigningKey) {
  return { _id: id, name, createdAt: new Date(createdAt).toISOString() };
}
