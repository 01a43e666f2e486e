import { setTimeout as sleep } from "node:timers/promises";
import { parseSync, Visitor } from "oxc-parser";
import { Inspector } from "../support/isolate/inspector.ts";
import { mp4, png } from "../support/media/samples.ts";
import { startApi } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import type { Client } from "./support/client.ts";
import { reportFigure, reportTarget, type Target } from "./support/report.ts";

interface CodeRun {
  readonly files: number;
  readonly functions: number;
}

interface OxcFunction {
  readonly start: number;
  readonly body: { readonly type: string; readonly start: number; readonly end: number } | null;
}

const PIECE_BYTES = 5 * 1024 * 1024;
const TUS = { "Tus-Resumable": "1.0.0" };
const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
/** esbuild's line before the code of a file. */
const FILE_LINE = /^\/\/ (\S+)$/gm;
const RECORD = "globalThis.__record";
const RECORDER = `globalThis.__ran = new Set(); ${RECORD} = (file, at) => globalThis.__ran.add(file + " " + at);\n`;
const TAKE = "(() => { const ran = [...globalThis.__ran]; globalThis.__ran.clear(); return JSON.stringify(ran); })()";
const SETTLE_MS = 1500;

/** The files of `src/` that a request runs in the API Worker and its objects, after the first requests of its kind. */
export async function benchCode(): Promise<Target[]> {
  await using stack = await startApi({}, { isInspected: true, changeCode: markFunctions });
  const { client } = await openBusinessAccount(stack.url);
  using inspector = await Inspector.open(stack.miniflare, "api");
  await inspector.call("Runtime.enable");
  console.log("code: files of src/ that one request runs, and their functions");
  const form = await codeRun(inspector, () => uploadForm(client));
  const piece = await codeRun(inspector, await pieceSender(client));
  reportFigure("functions, form", form.functions, "");
  reportFigure("functions, piece", piece.functions, "");
  return [
    reportTarget({ name: "files, form", value: form.files, atMost: 70 }),
    reportTarget({ name: "files, piece", value: piece.files, atMost: 50 }),
  ];
}

/** Adds a call to the beginning of each function of `src/`, which records the function. */
function markFunctions(code: string): string {
  const files = Array.from(code.matchAll(FILE_LINE), ({ index, 1: file = "" }) => ({ index, file }));
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const mark = ({ start, body }: OxcFunction) => {
    const { file } = files.findLast(({ index }) => index < start) ?? {};
    if (body === null || !file?.startsWith("src/")) return;
    const call = `${RECORD}("${file}", ${start})`;
    if (body.type === "BlockStatement") insertions.push({ at: body.start + 1, text: `${call};` });
    else insertions.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ")" });
  };
  const visitor = new Visitor({ FunctionDeclaration: mark, FunctionExpression: mark, ArrowFunctionExpression: mark });
  visitor.visit(parseSync("worker.js", code).program);
  const ordered = insertions.toSorted((one, other) => one.at - other.at);
  const marked = ordered.map(({ at, text }, index) => code.slice(ordered[index - 1]?.at ?? 0, at) + text);
  return `${RECORDER}${marked.join("")}${code.slice(ordered.at(-1)?.at ?? 0)}`;
}

/** Makes the request three times, and counts the third. */
async function codeRun(inspector: Inspector, request: () => Promise<unknown>): Promise<CodeRun> {
  await request();
  await request();
  // Work after the answer ends.
  await sleep(SETTLE_MS);
  await take(inspector);
  await request();
  const marks = await take(inspector);
  return { files: new Set(marks.map((mark) => mark.split(" ")[0])).size, functions: marks.length };
}

/** The functions that ran since the last call. */
async function take(inspector: Inspector): Promise<string[]> {
  const { result } = await inspector.call<{ result: { value: string } }>("Runtime.evaluate", {
    expression: TAKE,
    contextId: inspector.contextId,
  });
  return JSON.parse(result.value);
}

function uploadForm(client: Client): Promise<unknown> {
  const body = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    png(1, 1, 20_000),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  return client.call(201, "/images/upload", {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
}

/** Sends one piece at a call, none of which is the last one. */
async function pieceSender(client: Client): Promise<() => Promise<unknown>> {
  await client.call(201, "/images/upload", {
    method: "POST",
    headers: { ...TUS, "Upload-Length": String(10 * PIECE_BYTES) },
  });
  const { body: listed } = await client.call(200, "/images/upload");
  const path = `/images/upload/${JSON.parse(listed.toString()).uploads[0]._id}`;
  const file = Buffer.from(mp4(10 * PIECE_BYTES));
  let sent = 0;
  return () => {
    const at = PIECE_BYTES * sent++;
    const headers = { ...TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(at) };
    return client.call(204, path, { method: "PATCH", headers, body: file.subarray(at, at + PIECE_BYTES) });
  };
}
