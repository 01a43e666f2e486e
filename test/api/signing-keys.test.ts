import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fileRulesKey, MAX_SIGNING_KEYS, type StoredFileRules } from "../../src/domain/file-rules.ts";
import { deriveSigningKey, parseSigningKey } from "../../src/domain/variants/signed-url.ts";
import { meterOf } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount } from "../support/api/api.ts";

// Keys that sign URLs of variants (VAR-9).

interface Listed {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: string;
}

async function rulesInR2(accountId: string): Promise<StoredFileRules | undefined> {
  const object = await env.FILES.get(fileRulesKey(accountId));
  return object === null ? undefined : await object.json<StoredFileRules>();
}

const create = (token: string, name: string) => callJson("POST", "/signing-keys", token, { name });

async function list(token: string): Promise<Listed[]> {
  return (await (await call("/signing-keys", { headers: bearer(token) })).json<{ keys: Listed[] }>()).keys;
}

describe("Signing keys", () => {
  it("An owner of any tier creates, lists and revokes signing keys; a key is shown once and stored nowhere", async () => {
    const { id, token } = await openAccount();
    const created = await create(token, "The site");
    expect(created.status).toBe(201);
    const { key, ...shown } = await created.json<Listed & { key: string }>();
    expect(shown).toEqual({ _id: expect.any(String), name: "The site", createdAt: expect.any(String) });
    const signing = parseSigningKey(key);
    expect(signing).toEqual(await deriveSigningKey(env.URL_SIGNING_SECRET, id, shown._id));

    const { key: second } = await (await create(token, "The shop")).json<{ key: string }>();
    expect(second).not.toContain(signing?.secret);
    expect((await list(token)).map(({ name }) => name)).toEqual(["The shop", "The site"]);
    expect(JSON.stringify(await list(token))).not.toContain(signing?.secret);
    const rules = await rulesInR2(id);
    expect(Object.values(rules?.signingKeys ?? {})).toEqual(["The site", "The shop"]);
    expect(JSON.stringify(rules)).not.toContain(signing?.secret);

    const revoke = () => call(`/signing-keys/${shown._id}`, { method: "DELETE", headers: bearer(token) });
    expect((await revoke()).status).toBe(200);
    expect(Object.values((await rulesInR2(id))?.signingKeys ?? {})).toEqual(["The shop"]);
    const again = await revoke();
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ code: "key_not_found" });
  });

  it("The same signing key id in two accounts has two secrets", async () => {
    const id = "01hzy3v7k9q4r5s6t7v8w9x0yk";
    const [one, two] = await Promise.all(
      [id, "01hzy3v7k9q4r5s6t7v8w9x0ym"].map((account) => deriveSigningKey(env.URL_SIGNING_SECRET, account, id)),
    );
    expect(one?.secret).not.toBe(two?.secret);
  });

  it("An account has at most ten signing keys, also if requests create them at the same time", async () => {
    const { id, token } = await openAccount();
    const ids = Array.from({ length: MAX_SIGNING_KEYS + 2 }, (_, i) => `01hzy3v7k9q4r5s6t7v8w9x${100 + i}`);
    const outcomes = await Promise.all(ids.map((each) => meterOf(id).putNamedRule("signingKeys", each, "A key")));
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(2);
    const refused = await create(token, "Another");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: "count_limit_reached", details: { max: MAX_SIGNING_KEYS } });
  });

  it.each([[""], ["n".repeat(101)], [5]])("A signing key with the name %j is 400", async (name) => {
    const { token } = await openAccount();
    expect((await callJson("POST", "/signing-keys", token, { name })).status).toBe(400);
  });
});
