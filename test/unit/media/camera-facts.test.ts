import { describe, expect, it } from "vitest";
import { type CameraFacts, NO_CAMERA } from "../../../src/domain/camera-facts.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { readCameraFacts } from "../../../src/media/camera/read-camera-facts.ts";
import {
  exifBlock,
  filmWith,
  jpegWith,
  OSLO,
  pngWith,
  type Written,
  type WrittenAxis,
  webpWith,
} from "../../support/media/camera-files.ts";

function read(type: MediaType, bytes: Uint8Array): CameraFacts {
  return readCameraFacts(type, { length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });
}

const WRITTEN: Written = {
  make: "Canon",
  model: "Canon EOS R5",
  lens: "RF24-70mm F2.8 L IS USM",
  time: "2026:05:01 12:30:00",
  shutter: [1, 250],
  aperture: [178, 100],
  iso: 400,
  focalLength: [35, 1],
  ...OSLO,
};
const FACTS = {
  takenAt: Date.UTC(2026, 4, 1, 12, 30),
  camera: "Canon EOS R5",
  lens: "RF24-70mm F2.8 L IS USM",
  exposure: { shutterSeconds: 0.004, aperture: 1.78, iso: 400, focalLengthMm: 35 },
  location: { latitude: 59.9139, longitude: 10.7522 },
};
const SINCE_1904 = 2_082_844_800;

describe("Exif", () => {
  it.each(["MM", "II"] as const)("The facts of a JPEG, PNG and WebP are read from Exif in the order %s", (order) => {
    const block = exifBlock(WRITTEN, order);
    expect(read("image/jpeg", jpegWith(block))).toEqual(FACTS);
    expect(read("image/png", pngWith(block))).toEqual(FACTS);
    expect(read("image/webp", webpWith(block, 1_000_001))).toEqual(FACTS);
  });

  it.each([
    ["+02:00", Date.UTC(2026, 4, 1, 10, 30)],
    ["-05:30", Date.UTC(2026, 4, 1, 18, 0)],
    ["+00:00", FACTS.takenAt],
    ["+99:00", FACTS.takenAt],
    ["   :  ", FACTS.takenAt],
  ])("The offset %j of the camera's clock counts", (offset, takenAt) => {
    expect(read("image/jpeg", jpegWith(exifBlock({ ...WRITTEN, offset })))).toEqual({ ...FACTS, takenAt });
  });

  it.each([
    "0000:00:00 00:00:00",
    "2026:02:30 00:00:00",
    "2026:13:01 00:00:00",
    "2026:05:01 25:00:00",
    "    :  :     :  :  ",
    "x",
  ])("The time %j does not exist and is left out", (time) => {
    expect(read("image/jpeg", jpegWith(exifBlock({ ...WRITTEN, time })))).toEqual({ ...FACTS, takenAt: null });
  });

  it.each([
    ["SONY", "ILCE-7M4", "SONY ILCE-7M4"],
    ["NIKON CORPORATION", "NIKON Z 9", "NIKON Z 9"],
    ["Apple", undefined, "Apple"],
    [undefined, "Pixel 9", "Pixel 9"],
    ["  A\u0001\u0085\u202eB  ", "C\r\nD", "A B C D"],
    ["x".repeat(300), "y", "x".repeat(100)],
    ["", "", null],
  ])("Maker %j and model %j are the camera %j", (make, model, camera) => {
    const written = { ...(make === undefined ? {} : { make }), ...(model === undefined ? {} : { model }) };
    expect(read("image/jpeg", jpegWith(exifBlock(written))).camera).toBe(camera);
  });

  it.each<[Written, CameraFacts["exposure"]]>([
    [{ shutter: [1, 3] }, { shutterSeconds: 0.333333, aperture: null, iso: null, focalLengthMm: null }],
    [
      { iso: 65_535, index: 102_400 },
      { shutterSeconds: null, aperture: null, iso: 102_400, focalLengthMm: null },
    ],
    [
      { shutter: [30, 1], aperture: [0, 0], iso: 0, focalLength: [50, 0] },
      { shutterSeconds: 30, aperture: null, iso: null, focalLengthMm: null },
    ],
    [{ shutter: [0, 1], aperture: [0, 10], iso: 65_535, focalLength: [0, 0] }, null],
  ])("The exposure of %j is %j", (written, exposure) => {
    for (const order of ["MM", "II"] as const)
      expect(read("image/jpeg", jpegWith(exifBlock(written, order)))).toEqual({ ...NO_CAMERA, exposure });
  });

  it("An exposure whose numbers are cut off leaves the other facts", () => {
    const { latitude: _, longitude: __, ...withoutPlace } = WRITTEN;
    const block = exifBlock(withoutPlace);
    const cut = block.subarray(0, -8);
    expect(read("image/jpeg", jpegWith(cut))).toMatchObject({
      camera: "Canon EOS R5",
      exposure: { shutterSeconds: 0.004, focalLengthMm: null },
    });
  });

  it.each<[WrittenAxis, WrittenAxis, CameraFacts["location"]]>([
    [["S", [33, 1, 51, 1, 36, 1]], ["W", [70, 1, 0, 1, 1, 3]], { latitude: -33.86, longitude: -70.000093 }],
    [
      ["N", [599139, 10_000, 0, 1, 0, 1]],
      ["E", [10, 1, 45_132, 1000, 0, 1]],
      { latitude: 59.9139, longitude: 10.7522 },
    ],
    [["S", [0, 1, 0, 1, 0, 1]], ["E", [180, 1, 0, 1, 0, 1]], { latitude: 0, longitude: 180 }],
    [["N", [90, 1, 0, 1, 1, 1]], OSLO.longitude, null],
    [OSLO.latitude, ["W", [180, 1, 1, 1, 0, 1]], null],
    [["N", [0, 0, 0, 0, 0, 0]], ["E", [0, 0, 0, 0, 0, 0]], null],
    [["N", [59, 1, 54, 0, 0, 1]], OSLO.longitude, null],
    [["N", [59, 1, 61, 1, 0, 1]], OSLO.longitude, null],
    [["N", [59, 1, 54, 1, 3600, 1]], OSLO.longitude, null],
    [["", [59, 1, 54, 1, 0, 1]], OSLO.longitude, null],
    [["n", [59, 1, 54, 1, 0, 1]], OSLO.longitude, null],
    [["E", [59, 1, 54, 1, 0, 1]], OSLO.longitude, null],
    [["N", [59, 1]], OSLO.longitude, null],
  ])("The place of %j and %j is %j", (latitude, longitude, location) => {
    for (const order of ["MM", "II"] as const)
      expect(read("image/jpeg", jpegWith(exifBlock({ latitude, longitude }, order)))).toEqual({
        ...NO_CAMERA,
        location,
      });
  });

  it("A place without one of its axes, or with a cut one, is null", () => {
    const { latitude, longitude } = OSLO;
    for (const axis of [{ latitude }, { longitude }])
      expect(read("image/jpeg", jpegWith(exifBlock(axis))).location).toBeNull();
    const block = exifBlock({ ...WRITTEN, ...OSLO });
    expect(read("image/jpeg", jpegWith(block.subarray(0, block.length - 4)))).toEqual({ ...FACTS, location: null });
  });

  it("Files without Exif have no facts", () => {
    expect(read("image/gif", new Uint8Array(100))).toEqual(NO_CAMERA);
    expect(read("image/jpeg", jpegWith(new Uint8Array(10)))).toEqual(NO_CAMERA);
    for (const type of ["image/jpeg", "image/png", "image/webp", "video/mp4"] as const)
      expect(read(type, new Uint8Array(0))).toEqual(NO_CAMERA);
  });
});

describe("Films", () => {
  it.each([
    ["32 bits", false],
    ["64 bits", true],
  ])("`creation_time` of %s is read", (_, isLong) => {
    const created = Date.UTC(2026, 4, 1) / 1000 + SINCE_1904;
    expect(read("video/mp4", filmWith({ created, isLong }))).toEqual({ ...NO_CAMERA, takenAt: Date.UTC(2026, 4, 1) });
  });

  it.each([0, 1, SINCE_1904, SINCE_1904 + 1])(
    "`creation_time` %d of an encoder without a clock is left out",
    (created) => {
      expect(read("video/mp4", filmWith({ created }))).toEqual(NO_CAMERA);
    },
  );

  it.each([
    [false, false],
    [true, false],
    [true, true],
  ])("QuickTime's keys are read; `meta` has version and flags: %s; it is in `udta`: %s", (isIso, isInUdta) => {
    const keys = {
      "com.apple.quicktime.make": "Apple",
      "com.apple.quicktime.model": "iPhone 17 Pro",
      "com.apple.quicktime.creationdate": "2026-05-01T14:30:00+0200",
      "com.apple.quicktime.location.ISO6709": "+59.9139+010.7522+012.345/",
    };
    const film = filmWith({ created: 3_900_000_000, keys, isIso, isInUdta }, 3_000_000);
    expect(read("video/quicktime", film)).toEqual({
      ...FACTS,
      camera: "Apple iPhone 17 Pro",
      lens: null,
      exposure: null,
    });
  });

  it("Texts of user data are read", () => {
    const texts = { "\u00a9mak": "DJI", "\u00a9mod": "Mavic" };
    expect(read("video/mp4", filmWith({ texts })).camera).toBe("DJI Mavic");
  });

  it.each([
    ["+59.9139+010.7522/", { latitude: 59.9139, longitude: 10.7522 }],
    ["-33.8600-070.0001CRSWGS_84/", { latitude: -33.86, longitude: -70.0001 }],
    ["+00-000", { latitude: 0, longitude: 0 }],
    ["+5954.834+01045.132/", null],
    ["+91.0+010.0/", null],
    ["+59.9139+181.0/", null],
    ["+59.9139/", null],
    ["north", null],
  ])("The place of the text %j is %j", (text, location) => {
    expect(read("video/mp4", filmWith({ texts: { "\u00a9xyz": text } }))).toEqual({ ...NO_CAMERA, location });
  });
});

it("Damaged and hostile files take bounded time, and leave clean facts or none", () => {
  const block = exifBlock({ ...WRITTEN, offset: "+02:00" });
  const keys = {
    "com.apple.quicktime.model": "iPhone",
    "com.apple.quicktime.creationdate": "2026-05-01T14:30:00+0200",
  };
  const files: [MediaType, Uint8Array][] = [
    ["image/jpeg", jpegWith(block)],
    ["image/png", pngWith(block)],
    ["image/webp", webpWith(block)],
    ["video/mp4", filmWith({ created: 3_900_000_000, keys, texts: { "\u00a9mak": "DJI" } })],
  ];
  let state = 7;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (const [type, file] of files) {
    for (let round = 0; round < 5000; round++) {
      const bytes = file.slice(0, below(8) === 0 ? below(file.length) : file.length);
      for (let change = 0; change <= below(6) && bytes.length > 0; change++)
        bytes[below(bytes.length)] = [0, 1, 255, 128, below(256)][below(5)] ?? 0;
      const { takenAt, camera, lens, exposure } = read(type, bytes);
      expect(takenAt === null || Number.isSafeInteger(takenAt)).toBe(true);
      for (const number of Object.values(exposure ?? {}))
        expect(number === null || (Number.isFinite(number) && number > 0)).toBe(true);
      for (const name of [camera, lens]) {
        expect(name === null || (Array.from(name).length <= 100 && name.length > 0 && !/\p{C}/u.test(name))).toBe(true);
      }
    }
  }
  const many = new Uint8Array(8_000_000);
  for (let at = 2; at + 4 < many.length; at += 4) many.set([0xff, 0xe0, 0, 2], at);
  const begun = performance.now();
  expect(read("image/jpeg", many)).toEqual(NO_CAMERA);
  for (const type of ["image/png", "image/webp", "video/mp4"] as const) read(type, many);
  expect(performance.now() - begun).toBeLessThan(500);
});
