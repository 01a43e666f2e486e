import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendMail } from "../../../src/services/mail/send-mail.ts";
import { openServices } from "../../../src/services/open-services.ts";
import { call } from "../../support/api/api.ts";
import { deliverMessage, MailSender } from "../../support/mail/mails.ts";

const TO = "ada@example.com";
const MESSAGE = {
  type: "mail.requested",
  to: TO,
  template: "password-changed",
  values: {},
  origin: "https://media.example",
};
const RESEND = {
  EMAIL: undefined,
  MAIL_FROM: "host@media.example",
  RESEND_API_KEY: "re_123",
  MAIL_API_URL: "https://mail.example/send",
};

let logged: string[];

beforeEach(() => {
  logged = [];
  for (const level of ["log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(String(line)));
});

afterEach(() => {
  vi.restoreAllMocks();
});

function answerFetch(answer: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer());
}

describe("Sending a mail", () => {
  it("Cloudflare's binding gets plain text and HTML", async () => {
    const sender = new MailSender();
    expect(await deliverMessage(MESSAGE, sender.bindings)).toBe("acked");
    expect(sender.sent).toEqual([
      {
        from: "host@media.example",
        to: TO,
        subject: "Your password was changed",
        text: expect.stringContaining("https://media.example/dashboard/forgot"),
        html: expect.stringContaining("<p>The password of your account was changed."),
      },
    ]);
  });

  it("Resend's API gets the mail with its message's id as the idempotency key", async () => {
    const fetched = answerFetch(() => Response.json({ id: "1" }));
    expect(await deliverMessage(MESSAGE, RESEND, { id: "message-1" })).toBe("acked");
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe("https://mail.example/send");
    expect(init?.headers).toMatchObject({ Authorization: "Bearer re_123", "Idempotency-Key": "message-1" });
    expect(JSON.parse(String(init?.body))).toMatchObject({ from: "host@media.example", to: [TO] });
  });

  it("The binding is preferred to the API", async () => {
    const fetched = answerFetch(() => Response.json({}));
    const sender = new MailSender();
    await deliverMessage(MESSAGE, { ...RESEND, ...sender.bindings });
    expect(sender.sent).toHaveLength(1);
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each(["E_RATE_LIMIT_EXCEEDED", "E_DELIVERY_FAILED", "E_SENDER_NOT_VERIFIED"])(
    "A mail that fails with %s is retried",
    async (code) => {
      const sender = new MailSender();
      sender.failure = Object.assign(new Error(`no way to ${TO}`), { code });
      expect(await deliverMessage(MESSAGE, sender.bindings)).toBe("retried");
      expect(logged.join()).toContain(code);
      expect(logged.join()).not.toContain(TO);
    },
  );

  it.each([429, 500, 401, 302])("A mail that Resend answers with %i is retried", async (status) => {
    answerFetch(() => new Response(null, { status }));
    expect(await deliverMessage(MESSAGE, RESEND)).toBe("retried");
  });

  it("A mail is retried if the API does not answer", async () => {
    answerFetch(() => Promise.reject(new Error(`cannot reach ${TO}`)));
    expect(await deliverMessage(MESSAGE, RESEND)).toBe("retried");
    expect(logged.join()).not.toContain(TO);
  });

  it("A mail to a refused address is dropped", async () => {
    const sender = new MailSender();
    sender.failure = Object.assign(new Error(TO), { code: "E_RECIPIENT_SUPPRESSED" });
    expect(await deliverMessage(MESSAGE, sender.bindings)).toBe("acked");
    answerFetch(() => new Response(null, { status: 422 }));
    expect(await deliverMessage(MESSAGE, RESEND)).toBe("acked");
    expect(logged.join()).not.toContain(TO);
  });

  it("A mail that fails in the dead-letter queue is listed for the operator without its address", async () => {
    const sender = new MailSender();
    sender.failure = Object.assign(new Error(TO), { code: "E_INTERNAL_SERVER_ERROR" });
    const id = crypto.randomUUID();
    const options = { queue: "media-host-mails-dead", id };
    expect(await deliverMessage(MESSAGE, sender.bindings, options)).toBe("retried");
    const headers = { Authorization: `Bearer ${env.ADMIN_TOKEN}` };
    const listing = await (await call("/admin/dead-letters", { headers })).text();
    expect(listing).toContain(id);
    expect(listing).toContain("E_INTERNAL_SERVER_ERROR");
    expect(listing).not.toContain(TO);
  });

  it("A message of an unknown template is acknowledged", async () => {
    expect(await deliverMessage({ ...MESSAGE, template: "constructor" }, new MailSender().bindings)).toBe("acked");
  });
});

describe("Requesting a mail", () => {
  const SCOPE = { origin: "https://media.example", waitUntil: () => undefined };

  it("A queue of mails that fails does not fail the request", async () => {
    const MAILS = { send: () => Promise.reject(new Error("Queue send failed")) };
    const services = openServices({ ...env, ...new MailSender().bindings, MAILS } as unknown as Env, SCOPE);
    await sendMail(services, { to: TO, template: "password-changed", values: {} });
    expect(logged.join()).toContain("mail.not-queued");
    expect(logged.join()).not.toContain(TO);
  });

  it("No mail is queued if no mail can be sent", async () => {
    const send = vi.fn();
    const services = openServices({ ...env, MAILS: { send } } as unknown as Env, SCOPE);
    await sendMail(services, { to: TO, template: "password-changed", values: {} });
    expect(send).not.toHaveBeenCalled();
  });
});

describe("`GET /dev/mail`", () => {
  it("A mail of `npm start` is printed and can be read", async () => {
    const to = `${crypto.randomUUID()}@example.com`;
    expect(await deliverMessage({ ...MESSAGE, to }, { EMAIL: undefined, MAIL_DEV: "true" })).toBe("acked");
    expect(logged.join()).toContain(to);
    const { default: worker } = await import("../../../src/worker.ts");
    const request = new Request(`http://localhost/dev/mail?to=${to}`) as never;
    const answer = await worker.fetch(request, { ...env, MAIL_DEV: "true" } as Env, { waitUntil() {} } as never);
    expect(await answer.json()).toMatchObject({ mails: [{ to, subject: "Your password was changed" }] });
  });

  it("`GET /dev/mail` does not exist in production", async () => {
    expect((await call("/dev/mail")).status).toBe(404);
  });
});
