import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json, text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, type Stack, startApi } from "../support/stack/miniflare.ts";

// The whole service, with a receiver, a resolver and Turnstile as processes on loopback.

const PASSWORD = "correct horse battery staple";
const TURNSTILE_SECRET = "0x4AAAAAAAsecret";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function openPro(stack: Stack, more: object = {}): Promise<{ email: string; token: string; id: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const registered = await send(stack, "POST", "/auth/register", ADMIN_TOKEN, { email, password: PASSWORD, ...more });
  const { token, account } = (await registered.json()) as { token: string; account: { _id: string } };
  await send(stack, "PUT", `/admin/accounts/${email}`, ADMIN_TOKEN, { tier: "pro" });
  return { email, token, id: account._id };
}

function send({ url }: Stack, method: string, path: string, token?: string, body?: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe("webhooks allowed on this machine", () => {
  const received: Received[] = [];
  let receiver: string;
  let stack: Stack;
  let answer: RequestListener = (_, response) => response.writeHead(204).end();

  beforeAll(async () => {
    receiver = await listen(async (request, response) => {
      received.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
      answer(request, response);
    });
    stack = await startApi({ WEBHOOK_ALLOW_PRIVATE: "true" });
  });

  afterAll(() => stack[Symbol.asyncDispose]());

  it("A test message reaches a receiver, which verifies it with the secret", async () => {
    const { token } = await openPro(stack);
    const put = await send(stack, "PUT", "/settings/webhook", token, { url: `${receiver}/hook` });
    const { secret } = (await put.json()) as { secret: string };
    const tested = await send(stack, "POST", "/settings/webhook/test", token);
    expect(await tested.json()).toEqual({
      delivered: true,
      status: 204,
      error: null,
      answer: "",
      durationMs: expect.any(Number),
    });
    const { path, headers, body } = received.at(-1) as Received;
    expect(path).toBe("/hook");
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: "webhook.test" });
  });

  it("A redirect is not followed, and the result reports it", async () => {
    const { token } = await openPro(stack);
    await send(stack, "PUT", "/settings/webhook", token, { url: `${receiver}/first` });
    answer = (_, response) => response.writeHead(307, { Location: `${receiver}/second` }).end();
    const tested = await send(stack, "POST", "/settings/webhook/test", token);
    answer = (_, response) => response.writeHead(204).end();
    expect(await tested.json()).toMatchObject({ delivered: false, status: 307, error: "redirect" });
    expect(received.filter(({ path }) => path === "/second")).toEqual([]);
  });

  it("An endless answer is not read to its end, and a missing answer is not waited for", async () => {
    const { token } = await openPro(stack);
    await send(stack, "PUT", "/settings/webhook", token, { url: `${receiver}/endless` });
    let isOpen = true;
    answer = (_, response) => {
      response.writeHead(200);
      const beat = setInterval(() => response.write("x".repeat(65_536)), 5);
      response.once("close", () => {
        clearInterval(beat);
        isOpen = false;
      });
    };
    const endless = await send(stack, "POST", "/settings/webhook/test", token);
    expect(await endless.json()).toMatchObject({ delivered: true, status: 200 });
    await expect.poll(() => isOpen, { timeout: 5000 }).toBe(false);
    answer = () => {};
    const silent = await send(stack, "POST", "/settings/webhook/test", token);
    answer = (_, response) => response.writeHead(204).end();
    const { error, durationMs } = (await silent.json()) as { error: string; durationMs: number };
    expect(error).toBe("timeout");
    expect(durationMs).toBeLessThan(14_000);
  });
});

describe("webhooks not allowed on this machine", () => {
  const questions: string[] = [];
  const received: string[] = [];
  let names: Record<string, string[]> = {};
  let receiver: URL;
  let stack: Stack;

  beforeAll(async () => {
    receiver = new URL(await listen((request, response) => received.push(request.url ?? "") && response.end()));
    const resolver = await listen((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://resolver");
      const name = searchParams.get("name") ?? "";
      questions.push(`${searchParams.get("type")} ${name} ${request.headers.accept}`);
      const isA = searchParams.get("type") === "A";
      const found = names[name]?.filter((address) => address.includes(":") !== isA) ?? [];
      const records = found.map((data) => ({ name, type: isA ? 1 : 28, TTL: 0, data }));
      response.setHeader("Content-Type", "application/dns-json");
      response.end(JSON.stringify({ Status: 0, Answer: records }));
    });
    stack = await startApi({ DNS_RESOLVER_URL: `${resolver}/dns-query` });
  });

  afterAll(() => stack[Symbol.asyncDispose]());

  it("No name of this machine can be a webhook's address", async () => {
    const { token } = await openPro(stack);
    names = { "inside.example.com": ["127.0.0.1"], "six.example.com": ["93.184.215.14", "::1"] };
    const { port } = receiver;
    for (const url of [
      ...[receiver.href, `https://127.0.0.1:${port}/`, `https://localhost:${port}/`, "https://localtest.local/"],
      ...["https://[::1]/", "https://0x7f000001/", "https://inside.example.com/", "https://six.example.com/"],
    ]) {
      const put = await send(stack, "PUT", "/settings/webhook", token, { url });
      expect([put.status, await put.json()], url).toMatchObject([400, { details: { url: expect.any(String) } }]);
    }
    expect(received).toEqual([]);
  });

  it("A name that leads to this machine after its webhook was set gets no message", async () => {
    const { token } = await openPro(stack);
    names = { "rebind.example.com": ["93.184.215.14"] };
    const put = await send(stack, "PUT", "/settings/webhook", token, { url: "https://rebind.example.com:8443/" });
    expect(put.status).toBe(200);
    for (const addresses of [["127.0.0.1"], ["93.184.215.14", "::ffff:127.0.0.1"], ["169.254.169.254"], []]) {
      names = { "rebind.example.com": addresses };
      const tested = await send(stack, "POST", "/settings/webhook/test", token);
      expect(await tested.json()).toMatchObject({ delivered: false, status: null, error: "address" });
    }
    expect(questions.slice(-2).sort()).toEqual([
      "A rebind.example.com application/dns-json",
      "AAAA rebind.example.com application/dns-json",
    ]);
    expect(received).toEqual([]);
  });
});

describe("registration with Turnstile", () => {
  let stack: Stack;
  const asked: Record<string, unknown>[] = [];
  let answer: (question: Record<string, unknown>) => object | undefined;

  beforeAll(async () => {
    const siteverify = await listen(async (request, response) => {
      const question = (await json(request)) as Record<string, unknown>;
      asked.push(question);
      const told = answer(question);
      // Undefined: the receiver never answers.
      if (told !== undefined) response.end(JSON.stringify(told));
    });
    stack = await startApi({
      TURNSTILE_SITE_KEY: "0x4AAAAAAAsite",
      TURNSTILE_SECRET_KEY: TURNSTILE_SECRET,
      TURNSTILE_VERIFY_URL: siteverify,
    });
  });

  afterAll(() => stack[Symbol.asyncDispose]());

  const register = (turnstileToken: string) =>
    send(stack, "POST", "/auth/register", undefined, {
      email: `${crypto.randomUUID()}@example.com`,
      password: PASSWORD,
      turnstileToken,
    });

  it("A Turnstile token is verified with our secret, and a valid one opens an account", async () => {
    const { hostname } = stack.url;
    answer = ({ response }) =>
      response === "good"
        ? { success: true, "error-codes": [], hostname, action: "register" }
        : { success: false, "error-codes": ["timeout-or-duplicate"] };
    expect((await register("good")).status).toBe(201);
    expect(asked[0]).toMatchObject({ secret: TURNSTILE_SECRET, response: "good", idempotency_key: expect.any(String) });
    expect((await register("used")).status).toBe(403);
  });

  it("A siteverify that never answers is 503 within seconds", async () => {
    answer = () => undefined;
    const startedAt = Date.now();
    const response = await register("good");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(Date.now() - startedAt).toBeLessThan(15_000);
  });
});
