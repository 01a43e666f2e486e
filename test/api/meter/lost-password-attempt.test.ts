import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { retryStub } from "../../../src/isolate/calls.ts";
import { tryPassword } from "../../../src/services/auth/try-password.ts";

const limit = { count: 1, windowSeconds: 60 };

it("A wrong password counts and is answered as wrong if its meter is reset during the comparison", async () => {
  const open = () => env.ADDRESS_METER.getByName("login:lost-attempt");
  const meter = retryStub(open);
  const answer = await meter.beginAttempt(limit);
  const countFailure = () => meter.countOne(limit);
  const result = await tryPassword([{ answer, countFailure }], async () => {
    const reset = runInDurableObject(open(), (_, state) =>
      state.abort("Durable Object reset because its code was updated."),
    );
    await reset.catch(() => undefined);
    return undefined;
  });
  expect(result).toBeUndefined();
  expect(await meter.beginAttempt(limit)).toEqual({ retryAfterSeconds: expect.any(Number) });
});
