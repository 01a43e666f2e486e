import { TrieRouter } from "hono/router/trie-router";
import { expect, it } from "vitest";
import { KeptRouter } from "../../../src/api/kept-router.ts";

const ROUTES = [
  ["ALL", "/*"],
  ["GET", "/images"],
  ["POST", "/images"],
  ["GET", "/images/timeline"],
  ["GET", "/images/:id"],
  ["ALL", "/uploads/*"],
] as const;

const REQUESTS = [
  ["GET", "/images"],
  ["POST", "/images"],
  ["DELETE", "/images"],
  ["GET", "/images/timeline"],
  ["GET", "/images/one"],
  ["GET", "/images/two"],
  ["GET", "/images/:id"],
  ["GET", "/uploads/a/b"],
  ["GET", "/unknown"],
] as const;

function open() {
  const [kept, tree] = [new KeptRouter<string>(), new TrieRouter<string>()];
  for (const [method, path] of ROUTES) {
    for (const router of [kept, tree]) router.add(method, path, `${method} ${path}`);
  }
  return { kept, tree };
}

it.each(REQUESTS)("The router finds the handlers of %s %s as the tree does, each time", (method, path) => {
  const { kept, tree } = open();
  for (let time = 0; time < 2; time++) expect(kept.match(method, path)).toEqual(tree.match(method, path));
});

it("The router walks its tree again for a path with parameters, and after a route was added", () => {
  const { kept } = open();
  expect(kept.match("GET", "/images")).toBe(kept.match("GET", "/images"));
  expect(kept.match("GET", "/images/one")).not.toBe(kept.match("GET", "/images/one"));
  expect(kept.match("GET", "/other/images")).not.toBe(kept.match("GET", "/other/images"));
  kept.add("GET", "/images", "later");
  expect(kept.match("GET", "/images")[0].map(([handler]) => handler)).toContain("later");
});
