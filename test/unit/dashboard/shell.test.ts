import { describe, expect, it } from "vitest";
import { describeError } from "../../../src/dashboard/design/describe-error.ts";
import { fieldErrors } from "../../../src/dashboard/shell/field-errors.ts";
import { recentSearch } from "../../../src/dashboard/shell/recent-search.ts";
import { toStorageParts } from "../../../src/dashboard/shell/storage-parts.ts";

describe("an error of a form", () => {
  it("stands under its field in the service's words", () => {
    const error = { message: "Bad request", statusCode: 400, details: { email: ["Invalid email address"] } };
    expect(fieldErrors(error, ["email", "password"])).toEqual({ fields: { email: "Invalid email address" } });
  });

  it("stands above the button where it is no field's", () => {
    expect(fieldErrors({ message: "Wrong email or password", statusCode: 401 }, ["email"])).toEqual({
      fields: {},
      message: "Wrong email or password.",
    });
  });

  it("is none before anything was sent", () => {
    expect(fieldErrors(null, ["email"])).toEqual({ fields: {} });
  });
});

it("a server that does not answer is told from one that refuses", () => {
  expect(describeError({ statusCode: 0, message: "fetch failed" }).message).toBe("No answer came from the server.");
  expect(describeError({ statusCode: 503, message: "Busy", requestId: "r1" })).toEqual({
    message: "Busy.",
    requestId: "r1",
  });
});

it("the last seven days begin six days ago, in UTC", () => {
  expect(recentSearch(new Date("2026-03-03T00:30:00Z"))).toEqual({ from: "2026-02-25" });
});

describe("the storage bar", () => {
  const files = { trashedBytes: 5 };

  it("has images, videos and trash where the service tells them", () => {
    const known = { storage: { used: 100, limit: 1000, images: 60, videos: 35, trash: 5 }, files };
    expect(toStorageParts({ used: 110, limit: 1000 }, known).map(({ title, value }) => [title, value])).toEqual([
      ["Images", 70],
      ["Videos", 35],
      ["Trash", 5],
    ]);
  });

  it("never has more than what is used", () => {
    const known = { storage: { used: 100, limit: 1000, images: 60, videos: 35, trash: 5 }, files };
    const parts = toStorageParts({ used: 10, limit: 1000 }, known);
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(10);
  });

  it("warns when it is nearly full", () => {
    expect(toStorageParts({ used: 96, limit: 100 }, undefined)[0]?.tone).toBe("danger");
  });
});
