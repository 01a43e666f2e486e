import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fileRulesKey, MAX_PRESETS, type StoredFileRules } from "../../src/domain/file-rules.ts";
import { meterOf, replaceStores, replayIntents, restoreStores } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount } from "../support/api/api.ts";

// Named sizes and formats of an account's files (VAR-8).

async function rulesInR2(accountId: string): Promise<StoredFileRules | undefined> {
  const object = await env.FILES.get(fileRulesKey(accountId));
  return object === null ? undefined : await object.json<StoredFileRules>();
}

const put = (token: string, name: string, parameters: string) =>
  callJson("PUT", `/settings/presets/${name}`, token, { parameters });

async function list(token: string): Promise<unknown> {
  const { presets } = await (await call("/settings/presets", { headers: bearer(token) })).json<{ presets: unknown }>();
  return presets;
}

describe("Presets", () => {
  it("An owner adds, replaces, lists and removes presets, and the CDN Worker's rules have them", async () => {
    const { id, token } = await openAccount();
    expect(await list(token)).toEqual([]);
    const added = await put(token, "card", "?width=300&h=301&fit=crop");
    expect(added.status).toBe(200);
    expect(await added.json()).toEqual({ name: "card", parameters: "fit=crop&h=301&w=300" });
    await put(token, "avatar", "w=64&fm=webp");
    await put(token, "avatar", "w=65&fm=webp");
    expect(await list(token)).toEqual([
      { name: "avatar", parameters: "fm=webp&w=65" },
      { name: "card", parameters: "fit=crop&h=301&w=300" },
    ]);
    expect(await rulesInR2(id)).toMatchObject({ presets: { card: "fit=crop&h=301&w=300", avatar: "fm=webp&w=65" } });

    const one = await call("/settings/presets/card", { headers: bearer(token) });
    expect(await one.json()).toEqual({ name: "card", parameters: "fit=crop&h=301&w=300" });
    const removed = await call("/settings/presets/card", { method: "DELETE", headers: bearer(token) });
    expect(removed.status).toBe(200);
    expect((await rulesInR2(id))?.presets).toEqual({ avatar: "fm=webp&w=65" });
    for (const method of ["GET", "DELETE"]) {
      const gone = await call("/settings/presets/card", { method, headers: bearer(token) });
      expect(gone.status).toBe(404);
      expect(await gone.json()).toMatchObject({ code: "preset_not_found" });
    }
  });

  it.each([
    ["card", "w=0", "w"],
    ["card", "width=abc", "width"],
    ["card", "w=10&fit=stretch", "fit"],
    ["card", "w=10&color=red", "color"],
    ["card", "w=10&p=other", "p"],
    ["card", "", "parameters"],
    ["card", "w=10&fm=__proto__", "fm"],
    ["card", `w=10&crop=top&bg=fff&h=5&fp-x=0.1&${"w=10&".repeat(400)}`, "parameters"],
    ["Card", "w=10", "name"],
    ["c".repeat(41), "w=10", "name"],
  ])("The preset %s with the parameters %s is 400 and names %s", async (name, parameters, wrong) => {
    const { token } = await openAccount();
    const response = await put(token, name, parameters);
    expect(response.status).toBe(400);
    const { code, details } = await response.json<{ code: string; details: object }>();
    expect(code).toBe("invalid_request");
    expect(Object.keys(details)).toEqual([wrong]);
    expect(await list(token)).toEqual([]);
  });

  it("A preset may have the name of a property that every object has", async () => {
    const { token } = await openAccount();
    const read = () => call("/settings/presets/constructor", { headers: bearer(token) });
    expect((await read()).status).toBe(404);
    expect((await put(token, "constructor", "w=10")).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it("An account has at most 50 presets, also if requests add them at the same time; a stored one can be replaced", async () => {
    const { id, token } = await openAccount();
    const names = Array.from({ length: MAX_PRESETS + 3 }, (_, i) => `p${i}`);
    const outcomes = await Promise.all(names.map((name) => meterOf(id).putNamedRule("presets", name, "w=10")));
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(3);
    expect(await list(token)).toHaveLength(MAX_PRESETS);
    const refused = await put(token, "another", "w=10");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: "count_limit_reached", details: { max: MAX_PRESETS } });
    expect((await put(token, "p0", "w=11")).status).toBe(200);
  });

  it("A preset that R2 did not take is written by the alarm", async () => {
    const { id } = await openAccount();
    const fail = () => Promise.reject(new Error("put: Unspecified error (10099)"));
    await replaceStores(id, { FILES: { ...env.FILES, get: async () => null, put: fail } as unknown as R2Bucket });
    expect(await meterOf(id).putNamedRule("presets", "card", "w=10").catch(String)).toContain("10099");
    await restoreStores(id);
    await replayIntents(id);
    expect(await rulesInR2(id)).toMatchObject({ presets: { card: "w=10" } });
  });
});
