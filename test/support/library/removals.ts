import { expect } from "vitest";
import { bearer, call, type TestAccount } from "../api/api.ts";
import { photoWithComment } from "../codecs/photo.ts";
import { takeDown } from "../operator/as-operator.ts";
import { setVisibility } from "../private/private-files.ts";

/** A photo's bytes that no other test has, because a takedown blocks the same bytes for all accounts. */
export function newPhoto(): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...photoWithComment(), ...crypto.getRandomValues(new Uint8Array(16))]);
}

export async function expectOk(answer: Response): Promise<void> {
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
}

export type Removal = [name: string, remove: (account: TestAccount, id: string) => Promise<unknown>];

/** The changes of a file that remove its variants (VAR-6). */
export const REMOVALS: readonly Removal[] = [
  [
    "deleted",
    async ({ token }, id) => expectOk(await call(`/images/${id}`, { method: "DELETE", headers: bearer(token) })),
  ],
  ["taken down", (_, id) => takeDown({ id })],
  [
    "replaced",
    async ({ token }, id) =>
      expectOk(await call(`/images/${id}/content`, { method: "PUT", headers: bearer(token), body: newPhoto() })),
  ],
  ["made private", async ({ token }, id) => expectOk(await setVisibility(token, id, "private"))],
];
