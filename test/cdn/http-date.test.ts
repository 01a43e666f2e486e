import { describe, expect, it } from "vitest";
import { formatHttpDate, parseHttpDate } from "../../src/cdn/http-date.ts";

describe("HTTP dates (RFC 9110, 5.6.7)", () => {
  it.each([
    ["Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Tue, 15 Nov 1994 12:45:26 GMT", 784_903_526_000],
    ["Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799_000],
  ])("%s is %d", (value, milliseconds) => {
    expect(parseHttpDate(value)).toBe(milliseconds);
    expect(formatHttpDate(new Date(milliseconds))).toBe(value);
  });

  it.each([
    "",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "1994-11-06T08:49:37Z",
    "1994-11-06T08:49:37.00000000Z",
    "784111777",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Mon, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 gmt",
    "sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 +00",
    "Sun, 06 Nov 1994 24:49:37 GMT",
    "Fri, 30 Feb 2024 00:00:00 GMT",
    "Wed, 29 Feb 2023 00:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    " Sun, 06 Nov 1994 08:49:37 GMT",
    "x".repeat(29),
    "x".repeat(1_000_000),
  ])("The date %.60s is no IMF-fixdate", (value) => {
    expect(parseHttpDate(value)).toBeUndefined();
  });
});
