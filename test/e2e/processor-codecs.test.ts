import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CODECS, redThenBlue } from "../support/processor/codecs.ts";
import { colorAt, receive } from "../support/processor/picture.ts";
import { Processor } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode } from "../support/processor/videos.ts";

let processor: Processor;
let source: SourceServer;

beforeAll(async () => {
  source = await SourceServer.start();
  processor = await Processor.start({ SOURCE_ORIGINS: source.url });
});

afterAll(async () => {
  await processor?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
});

describe("thumbnails by codec", () => {
  it.each(CODECS)("A thumbnail shows the frame at one second of %s", async (_, type, name, args) => {
    const url = source.serve(name, await encode(name, redThenBlue("320x180"), ...args));
    const { jpeg, width, height, videoWidth, videoHeight, durationSeconds } = await receive(
      await processor.thumbnail({ source: url, type }),
    );
    expect({ width, height, videoWidth, videoHeight }).toEqual({
      width: 640,
      height: 360,
      videoWidth: 320,
      videoHeight: 180,
    });
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    if (name !== "live.webm") expect(durationSeconds).toBeCloseTo(2, 1);
    expect(await processor.listFiles()).toEqual([]);
  });
});
