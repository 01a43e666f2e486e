import { expect, it } from "vitest";
import { MAX_SAVED_SEARCHES } from "../../../src/domain/saved-search.ts";
import { bearer, call, callJson, openAccount, openProAccount } from "../../support/api/api.ts";

interface Search {
  readonly _id: string;
  readonly name: string;
  readonly address: string;
}

async function list(token: string): Promise<Search[]> {
  const response = await call("/searches", { headers: bearer(token) });
  expect(response.status).toBe(200);
  return (await response.json<{ searches: Search[] }>()).searches;
}

async function save(token: string, name: string, address: string): Promise<Search> {
  const response = await callJson("POST", "/searches", token, { name, address });
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json<Search>();
}

it("A search is saved, renamed, given another address, and deleted", async () => {
  const { token } = await openAccount();
  expect(await list(token)).toEqual([]);
  const first = await save(token, " Without alt text ", "/library?alt=without");
  const second = await save(token, "Trash", "/trash");
  expect(first).toEqual({ _id: first._id, name: "Without alt text", address: "/library?alt=without" });
  const change = (id: string, body: object) => callJson("PATCH", `/searches/${id}`, token, body);
  expect(await (await change(first._id, { name: "Undescribed" })).json()).toEqual({ ...first, name: "Undescribed" });
  const moved = { ...second, address: "/trash?type=png" };
  expect(await (await change(second._id, { address: "/trash?type=png" })).json()).toEqual(moved);
  expect(await list(token)).toEqual([{ ...first, name: "Undescribed" }, moved]);
  const remove = () => call(`/searches/${first._id}`, { method: "DELETE", headers: bearer(token) });
  expect((await remove()).status).toBe(200);
  expect(await list(token)).toEqual([moved]);
  for (const gone of [await remove(), await change(first._id, { name: "Again" })]) {
    expect([gone.status, await gone.json()]).toEqual([
      404,
      expect.objectContaining({ code: "saved_search_not_found" }),
    ]);
  }
});

it("The same search is not stored twice, and the 51st is refused", async () => {
  const { token } = await openProAccount();
  const [one, again] = await Promise.all([save(token, "Same", "/library?q=a"), save(token, "Same", "/library?q=a")]);
  expect(again).toEqual(one);
  for (let n = 1; n < MAX_SAVED_SEARCHES; n++) await save(token, `Search ${n}`, "/library");
  const refused = await callJson("POST", "/searches", token, { name: "Too many", address: "/library" });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ code: "count_limit_reached" }),
  ]);
  expect(await list(token)).toHaveLength(MAX_SAVED_SEARCHES);
  expect(await save(token, "Same", "/library?q=a")).toEqual(one);
});

it("Another account neither sees nor changes a saved search, and keys have none", async () => {
  const [owner, stranger] = await Promise.all([openProAccount(), openProAccount()]);
  const { _id } = await save(owner.token, "Mine", "/library?fav=1");
  expect(await list(stranger.token)).toEqual([]);
  expect((await callJson("PATCH", `/searches/${_id}`, stranger.token, { name: "Theirs" })).status).toBe(404);
  expect((await call(`/searches/${_id}`, { method: "DELETE", headers: bearer(stranger.token) })).status).toBe(404);
  expect((await call("/searches", { headers: bearer(owner.apiKey) })).status).toBe(403);
  expect(await list(owner.token)).toHaveLength(1);
});

it.each<[object, string]>([
  [{ name: "", address: "/library" }, "name"],
  [{ name: "x".repeat(101), address: "/library" }, "name"],
  [{ name: "a\u0000", address: "/library" }, "name"],
  [{ name: "a", address: "https://example.com/library" }, "address"],
  [{ name: "a", address: "//example.com" }, "address"],
  [{ name: "a", address: "/library/../settings" }, "address"],
  [{ name: "a", address: "/library?q= " }, "address"],
  [{ name: "a", address: `/library?q=${"x".repeat(2000)}` }, "address"],
])("The search %.60j is refused, and its wrong field named", async (body, field) => {
  const { token } = await openAccount();
  const response = await callJson("POST", "/searches", token, body);
  expect([response.status, Object.keys((await response.json<{ details: object }>()).details)]).toEqual([400, [field]]);
});
