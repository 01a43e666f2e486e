import { describe, expect, it } from "vitest";
import { describeError } from "../../../src/dashboard/design/describe-error.ts";
import { fieldErrors } from "../../../src/dashboard/shell/field-errors.ts";
import { recentSearch } from "../../../src/dashboard/shell/recent-search.ts";
import { toStorageParts } from "../../../src/dashboard/shell/storage-parts.ts";

describe("Form errors", () => {
  it("A field's error is under the field in the service's words", () => {
    const error = { message: "Bad request", statusCode: 400, details: { email: ["Invalid email address"] } };
    expect(fieldErrors(error, ["email", "password"])).toEqual({ fields: { email: "Invalid email address" } });
  });

  it("An error of no field is above the button", () => {
    expect(fieldErrors({ message: "Wrong email or password", statusCode: 401 }, ["email"])).toEqual({
      fields: {},
      message: "Wrong email or password.",
    });
  });

  it("A form has no errors before it was sent", () => {
    expect(fieldErrors(null, ["email"])).toEqual({ fields: {} });
  });
});

it("A server that does not answer causes another message than a server that refuses", () => {
  expect(describeError({ statusCode: 0, message: "fetch failed" }).message).toBe("No answer came from the server.");
  expect(describeError({ statusCode: 503, message: "Busy", requestId: "r1" })).toEqual({
    message: "Busy.",
    requestId: "r1",
  });
});

it("The last seven days begin six days ago, in UTC", () => {
  expect(recentSearch(new Date("2026-03-03T00:30:00Z"))).toEqual({ from: "2026-02-25" });
});

describe("Storage bar", () => {
  const files = { trashedBytes: 5 };

  it("The storage bar shows images, videos and trash if the service reports them", () => {
    const known = { storage: { used: 100, images: 60, trash: 5 }, files };
    expect(toStorageParts({ used: 110 }, known).map(({ title, value }) => [title, value])).toEqual([
      ["Images", 70],
      ["Videos", 35],
      ["Trash", 5],
    ]);
  });

  it("The thumbnails of videos are not counted as images", () => {
    const known = { storage: { used: 125, images: 0, videos: 104, trash: 0 }, files: { trashedBytes: 0 } };
    expect(toStorageParts({ used: 125 }, known).map(({ value }) => value)).toEqual([0, 125, 0]);
  });

  it("The parts of the storage bar never exceed the storage used", () => {
    const known = { storage: { used: 100, images: 60, trash: 5 }, files };
    const parts = toStorageParts({ used: 10 }, known);
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(10);
  });
});
