import { describe, expect, it } from "vitest";
import { ERRORS } from "../../../src/domain/errors.ts";
import { toHumanSize } from "../../../src/domain/human-size.ts";
import { idTime, isId, newId } from "../../../src/domain/ids.ts";
import { normalizeTags } from "../../../src/domain/tags.ts";
import { TIERS } from "../../../src/domain/tiers.ts";

const GB = 1_073_741_824;

it("The tiers match the table of LIM-1", () => {
  expect(TIERS).toEqual({
    free: { keyKind: "upload", storageBytes: 1 * GB, operationsPerMonth: 10_000, requestsPerMinute: 60 },
    starter: { keyKind: "upload", storageBytes: 5 * GB, operationsPerMonth: 100_000, requestsPerMinute: 120 },
    pro: { keyKind: "api", storageBytes: 10 * GB, operationsPerMonth: 1_000_000, requestsPerMinute: 300 },
    business: { keyKind: "api", storageBytes: 200 * GB, operationsPerMonth: 5_000_000, requestsPerMinute: 1000 },
  });
});

describe("Error messages", () => {
  it.each([
    [ERRORS.AuthorizationRequired(), 401, "Authorization header is required"],
    [ERRORS.BearerRequired(), 401, "Authorization must use Bearer scheme"],
    [ERRORS.InvalidKey(), 401, "Invalid or missing API key"],
    [ERRORS.InvalidSession(), 401, "Unauthorized"],
    [ERRORS.ApiTierRequired(), 403, "API access requires Pro or Business tier"],
    [ERRORS.ForeignImageDelete(), 403, "You don't have permission to delete this image"],
    [ERRORS.ImageNotFound(), 404, "Image not found"],
    [ERRORS.InvalidPaging(), 400, "Invalid page or limit parameter"],
    [ERRORS.UnsupportedType("text/plain"), 415, "Only images and videos are allowed"],
    [ERRORS.Internal(), 500, "An internal error occurred. Please try again."],
    [ERRORS.StorageLimit(GB, GB), 413, "Storage limit exceeded. You've used 1 GB of 1 GB."],
    [ERRORS.StorageLimit(4.987 * GB, 5 * GB), 413, "Storage limit exceeded. You've used 4.99 GB of 5 GB."],
    [ERRORS.StorageLimit(199.5 * GB, 200 * GB), 413, "Storage limit exceeded. You've used 199.5 GB of 200 GB."],
  ])("%s is word for word the message of the contract", (error, statusCode, message) => {
    expect(error.toBody()).toMatchObject({ error: message, statusCode });
  });

  it.each([
    [ERRORS.RateLimited(7), { reason: "rate" }],
    [ERRORS.OperationsExhausted(7), { reason: "operations" }],
    [ERRORS.TooManyAttempts(7), { reason: "attempts" }],
    [ERRORS.Unavailable(7), {}],
  ])("%s gives the time to retry, and a 429 gives the limit that was reached", (error, reason) => {
    expect(error.toBody().details).toEqual({ retryAfter: 7, ...reason });
    expect(error.headers).toEqual({ "Retry-After": "7" });
  });
});

it.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [1_048_575, "1 MB"],
  [5 * 1024 ** 2, "5 MB"],
  [1.25 * GB, "1.3 GB"],
])("%i bytes are written %s for people", (sizeBytes, text) => {
  expect(toHumanSize(sizeBytes)).toBe(text);
});

describe("Ids", () => {
  it("Ids are lower-case ULIDs that sort by time and contain it", () => {
    // This is later than every other id of this isolate: ids made after it never sort before it, at any clock reading.
    const now = idTime(newId(0)) + 1000;
    const ids = [newId(now), newId(now), newId(now + 1)];
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(isId(id)).toBe(true);
    expect(idTime(ids[2] ?? "")).toBe(now + 1);
  });

  it.each([
    "",
    "x",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "81arz3ndektsv4rrffq69g5fav",
    "01arz3ndektsv4rrffq69g5fai",
    "../../../../../../../../..",
  ])("%j is not an id", (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe("Tags", () => {
  it("Tags are trimmed, without empty and repeated ones", () => {
    expect(normalizeTags([" sea ", "", "Sea", "sea", "📷"])).toEqual(["sea", "Sea", "📷"]);
  });

  it("Tags are at most 50, of 64 characters each", () => {
    expect(() => normalizeTags(Array.from({ length: 51 }, (_, i) => `t${i}`))).toThrow("Invalid request");
    expect(() => normalizeTags(["x".repeat(65)])).toThrow("Invalid request");
    expect(normalizeTags(["📷".repeat(64)])).toHaveLength(1);
  });
});
