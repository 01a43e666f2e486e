import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";
import { EXACT_REQUESTS } from "../support/tools/exact-requests.ts";
import { sendRaw } from "../support/tools/raw-request.ts";

// Programs that cannot run here: their requests, byte by byte, from their sources.

let stack: Stack;
let accounts: DemoAccounts;

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
});
afterAll(() => stack?.dispose());

let width = 20;

describe.each(EXACT_REQUESTS)("$program", ({ head, before, after, originalFilename }) => {
  const send = (file: Uint8Array, key: string) => {
    const put = (text: string) =>
      text.replace("HOST", new URL(stack.baseUrl).host).replace("KEY", key).replace("LENGTH", String(file.length));
    return sendRaw(stack.baseUrl, head.map(put), Buffer.concat([Buffer.from(put(before)), file, Buffer.from(after)]));
  };

  it("The program uploads a file of that name and finds its URL in the answer", async () => {
    const file = png(width++, 2);
    const { status, body } = await send(file, accounts.free.uploadKey);
    expect({ status, body }).toMatchObject({ status: 201 });
    const result = JSON.parse(body) as { url: string; originalFilename: string };
    expect(result.originalFilename).toBe(originalFilename);
    const served = Buffer.from(await (await fetch(result.url)).arrayBuffer());
    expect(served.equals(Buffer.from(file))).toBe(true);
  });

  it("The program gets a message that its key is wrong", async () => {
    const { status, body } = await send(png(), "service_upload_wrong");
    expect(status).toBe(401);
    expect(JSON.parse(body)).toEqual({ error: "Invalid or missing API key", code: "invalid_key", statusCode: 401 });
  });
});

describe("files of GET /tools", () => {
  const file = async (name: string) => (await fetch(`${stack.baseUrl}/tools/${name}`)).text();

  it("The files of ShareX and PicGo name the address, the field and the header; the answer fits them", async () => {
    const sharex = JSON.parse(await file("sharex"));
    expect(sharex).toMatchObject({ RequestMethod: "POST", Body: "MultipartFormData", URL: "{json:url}" });
    const { picBed } = JSON.parse(await file("picgo"));
    const picgo = picBed[picBed.current];
    for (const [url, field, headers] of [
      [sharex.RequestURL, sharex.FileFormName, sharex.Headers],
      [picgo.url, picgo.paramName, JSON.parse(picgo.customHeader)],
    ]) {
      const body = new FormData();
      body.append(field, new Blob([png(width++, 3)]), "shot.png");
      const authorization = headers.Authorization.replace("YOUR_KEY", accounts.free.uploadKey);
      const answer = await fetch(url, { method: "POST", headers: { Authorization: authorization }, body });
      expect(await answer.json()).toHaveProperty([picgo.jsonPath], expect.stringContaining(stack.baseUrl));
    }
    // ShareX opens it with GET.
    expect(sharex).not.toHaveProperty("DeletionURL");
  });
});
