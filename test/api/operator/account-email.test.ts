import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newEmail } from "../../support/api/registration.ts";
import { MailHost } from "../../support/mail/mail-host.ts";
import { asOperator } from "../../support/operator/as-operator.ts";

it("The operator gives an account another address, unless another account has it", async () => {
  const host = new MailHost();
  const { email, token } = await host.openVerified();
  const other = await host.openVerified();
  const set = (to: string) => asOperator("POST", `accounts/${email}/set-email`, { email: to, reason: "Lost mailbox" });
  const taken = await set(other.email);
  expect([taken.status, await taken.json()]).toEqual([409, expect.objectContaining({ code: "email_taken" })]);
  const next = newEmail();
  expect((await set(next)).status).toBe(200);
  const account = await host.call("GET", "/account", undefined, { token });
  expect(await account.json()).toMatchObject({ email: next });
  expect((await set(newEmail())).status).toBe(404);
});

it("The operator mails a link to a new password, three in half an hour", async () => {
  const host = new MailHost();
  const { email } = await host.openVerified();
  const send = () =>
    host.call("POST", `/admin/accounts/${email}/send-reset`, { reason: "Ticket" }, { token: env.ADMIN_TOKEN });
  expect((await send()).status).toBe(200);
  const { token } = await host.readProof(email);
  const reset = await host.call("POST", "/auth/password/reset", { token, password: "another horse battery" });
  expect(reset.status).toBe(200);
  await send();
  await send();
  expect((await send()).status).toBe(429);
});
