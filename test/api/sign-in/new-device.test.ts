import { expect, it } from "vitest";
import type { MailRequested } from "../../../src/domain/queue-messages.ts";
import { newAddress, openAccount, type TestAccount } from "../../support/api/api.ts";
import { callWith } from "../../support/api/registration.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface From {
  readonly address?: string;
  readonly agent?: string;
  readonly cookie?: string;
}

/** Logs in. @returns the mails that the log-in put into the queue, and the browser's device cookie */
async function logIn({ email, password }: TestAccount, { address = newAddress(), agent = FIREFOX, cookie }: From = {}) {
  const mails: MailRequested[] = [];
  const queue = { send: async (mail: MailRequested) => void mails.push(mail) } as unknown as string;
  const vars = { MAIL_FROM: "host@media.example", RESEND_API_KEY: "re_123", MAILS: queue };
  const response = await callWith(vars, "/auth/login", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CF-Connecting-IP": address,
      "User-Agent": agent,
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status).toBe(200);
  const cookies = response.headers.getSetCookie();
  return { mails, cookie: cookies.find((text) => text.startsWith("__Host-device="))?.split(";")[0] ?? "" };
}

it("A log-in from an unknown device sends the owner a mail that names the device and its address", async () => {
  const account = await openAccount();
  expect((await logIn(account)).mails).toEqual([]);
  const address = newAddress();
  const { mails } = await logIn(account, { address, agent: "curl/8.11.0" });
  expect(mails).toEqual([
    {
      type: "mail.requested",
      to: account.email,
      template: "new-device",
      values: { device: "curl", address, at: expect.stringMatching(/Z$/) },
      origin: "https://media.example",
    },
  ]);
});

it("A known device sends no mail: a browser is known by its cookie at any address, a program by its address", async () => {
  const account = await openAccount();
  const { cookie } = await logIn(account);
  expect((await logIn(account, { cookie })).mails).toEqual([]);
  const curl = { address: newAddress(), agent: "curl/8.11.0" };
  expect((await logIn(account, curl)).mails).toHaveLength(1);
  expect((await logIn(account, curl)).mails).toEqual([]);
  expect((await logIn(account, { ...curl, address: newAddress() })).mails).toHaveLength(1);
});

it("A device of one account is unknown to another", async () => {
  const [first, second] = [await openAccount(), await openAccount()];
  const { cookie } = await logIn(first);
  await logIn(second);
  expect((await logIn(second, { cookie })).mails).toHaveLength(1);
});
