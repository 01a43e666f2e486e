import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { readThumbnail, VideoAccount } from "../support/processor/account.ts";
import { H264, redThenBlue } from "../support/processor/codecs.ts";
import { encode } from "../support/processor/videos.ts";
import { Stack } from "../support/stack/stack.ts";

const EMAIL = "pro@example.com";

let stack: Stack | undefined;

afterAll(() => stack?.dispose());

it("The operator's retry makes thumbnails that were recorded as impossible", async () => {
  // The limit for frames. No frame is as small as this.
  stack = await Stack.start({ MAX_FRAME_PIXELS: "16" });
  const account = await VideoAccount.of(stack);
  const upload = await account.upload("video.mp4", await encode("video.mp4", redThenBlue("320x180"), ...H264));
  await account.untilFailed(upload);
  await stack.stop();
  await stack.restart({ MAX_FRAME_PIXELS: "" });
  const env = { ...process.env, BASE_URL: stack.baseUrl };
  const retry = () =>
    promisify(execFile)("npm", ["run", "--silent", "admin", "--", "retry-thumbnails", EMAIL], { env });
  expect((await retry()).stdout.trim()).toBe("announced: 1");
  const { width, height } = await readThumbnail(await account.thumbnailOf(upload));
  expect([width, height]).toEqual([640, 360]);
  expect((await account.find(upload)).thumbnailUrl).toBe(upload.thumbnailUrl);
  expect((await retry()).stdout.trim()).toBe("announced: 0");
});
