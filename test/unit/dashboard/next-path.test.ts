import { expect, it } from "vitest";
import { nextPath } from "../../../src/dashboard/shell/next-path.ts";

it.each([
  ["?next=/dashboard/usage", "/usage"],
  ["?next=%2Fdashboard%2Flibrary%3Fq%3Dcat%26fav%3D1", "/library?q=cat&fav=1"],
  ["?next=/dashboard/keys/01abc", "/keys/01abc"],
])("The log-in continues to a page of the dashboard (%s)", (search, path) => {
  expect(nextPath(search)).toBe(path);
});

it.each([
  "",
  "?next=",
  "?next=https://evil.example/dashboard/",
  "?next=//evil.example/dashboard/",
  "?next=/dashboard//evil.example",
  "?next=/dashboard/../..//evil.example",
  "?next=/dashboard/%5Cevil.example\\x",
  "?next=/dashboard/\\evil.example",
  "?next=/docs",
  "?next=javascript:alert(1)",
  "?next=/dashboard/login",
  "?next=/dashboard/register?next=x",
])("The log-in continues to the library if the target is elsewhere (%s)", (search) => {
  expect(nextPath(search)).toBe("/library");
});
