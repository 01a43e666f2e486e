import { describe, expect, it } from "vitest";
import { parseBoundary } from "../../../src/multipart/read-multipart.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";

const LONGEST = "x".repeat(70);

describe("Boundary of a Content-Type", () => {
  it.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ["multipart/form-data;boundary=abc", "abc"],
    ['multipart/form-data; boundary="abc"', "abc"],
    ['multipart/form-data; boundary="a b:c=(d),/?"', "a b:c=(d),/?"],
    ["Multipart/Form-Data; Boundary=aBc", "aBc"],
    ["MULTIPART/FORM-DATA; BOUNDARY=ABC", "ABC"],
    ["multipart/form-data; charset=utf-8; boundary=abc", "abc"],
    ["multipart/form-data; boundary=abc; charset=utf-8", "abc"],
    ["multipart/form-data; boundary=abc ; charset=utf-8", "abc"],
    ["multipart/form-data; boundary=abc;", "abc"],
    ["multipart/form-data; boundary=abc  ", "abc"],
    ["multipart/form-data;\tboundary=abc", "abc"],
    ["multipart/form-data ; boundary=abc", "abc"],
    ["multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW", "----WebKitFormBoundary7MA4YWxkTrZu0gW"],
    [
      "multipart/form-data; boundary=------------------------d74496d66958873e",
      "------------------------d74496d66958873e",
    ],
    [`multipart/form-data; boundary=${LONGEST}`, LONGEST],
    [`multipart/form-data; boundary="${LONGEST}"`, LONGEST],
    ["multipart/form-data; boundary=a'b+c_d,e-f.g/h:i=j?", "a'b+c_d,e-f.g/h:i=j?"],
    ["multipart/form-data; xboundary=no; boundary=yes", "yes"],
    ["multipart/form-data; boundary=", undefined],
    ['multipart/form-data; boundary=""', undefined],
    ["multipart/form-data", undefined],
    ["multipart/form-data;", undefined],
    ["multipart/form-data; charset=utf-8", undefined],
    ["multipart/form-data; xboundary=abc", undefined],
    [`multipart/form-data; boundary=${LONGEST}x`, undefined],
    [`multipart/form-data; boundary="${LONGEST}x"`, undefined],
    ['multipart/form-data; boundary="abc', undefined],
    ['multipart/form-data; boundary=abc"', undefined],
    ['multipart/form-data; boundary="abc "', undefined],
    ['multipart/form-data; boundary="a\r\nb"', undefined],
    ['multipart/form-data; boundary="a\tb"', undefined],
    ["multipart/form-data; boundary=abé", undefined],
    ["multipart/form-data; boundary=a@b", undefined],
    ['multipart/form-data; boundary="a<b>"', undefined],
    ["multipart/mixed; boundary=abc", undefined],
    ["multipart/form-datax; boundary=abc", undefined],
    ["application/x-www-form-urlencoded", undefined],
    ["application/json; x=multipart/form-data; boundary=abc", undefined],
    ["", undefined],
  ])("The boundary of %j is %j", (contentType, boundary) => {
    expect(parseBoundary(contentType)).toBe(boundary);
  });

  it("The boundary is not read from a quoted value of another parameter", () => {
    expect(parseBoundary('multipart/form-data; x="; boundary=no; "; boundary=yes')).toBe("yes");
  });

  it("The boundary is found in time linear in the header's length", () => {
    const hostile = ["; ", ";", " ", "\t", "; boundary=", '; boundary="', ";boundary=x ", "a;", '"', "boundary=x"];
    const started = performance.now();
    for (const filler of hostile) {
      const long = filler.repeat(500_000 / filler.length);
      parseBoundary(`multipart/form-data${long}`);
      parseBoundary(`multipart/form-data;${long}`);
      parseBoundary(`multipart/form-data; boundary=x${long}!`);
      parseBoundary(`${long}multipart/form-data`);
    }
    expect(performance.now() - started).toBeLessThan(BOUNDED_MS);
  });
});
