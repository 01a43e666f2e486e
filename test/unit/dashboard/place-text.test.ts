import { expect, it } from "vitest";
import { toMapUrl, toPlaceText } from "../../../src/dashboard/file/place-text.ts";

it.each([
  [{ latitude: 59.9139, longitude: 10.7522 }, "59.9139° N, 10.7522° E"],
  [{ latitude: -33.86, longitude: -70.000093 }, "33.8600° S, 70.0001° W"],
  [{ latitude: 0, longitude: 180 }, "0.0000° N, 180.0000° E"],
])("The place %j is written %j", (location, text) => {
  expect(toPlaceText(location)).toBe(text);
});

it("A place has the address of a map with a mark", () => {
  const url = new URL(toMapUrl({ latitude: -33.86, longitude: 0.000001 }));
  expect([url.searchParams.get("mlat"), Number(url.searchParams.get("mlon"))]).toEqual(["-33.86", 0.000001]);
});
