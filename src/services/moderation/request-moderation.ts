import type { Services } from "../context.ts";

/** Asks the operator's hook about an upload, if there is one. A repeated call of the hook changes nothing (moderate-upload.ts). */
export async function requestModeration(
  { moderation }: Pick<Services, "moderation">,
  { accountId, uploadId }: { readonly accountId: string; readonly uploadId: string },
): Promise<void> {
  await moderation?.send({ type: "moderation.requested", accountId, uploadId });
}
