import { type Connection, readJson } from "./connection.ts";
import type { UploadResult } from "./types.ts";
import type { NativeFile, UploadOptions, UploadSource } from "./upload.ts";

/** `crypto.randomUUID` is not there in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Uploads one file as a form. Whoever lost the answer cannot know whether the file is stored: the form is sent again under the same
 * `Idempotency-Key`, so that it is stored once.
 * @throws MediaHostError; the signal's reason
 */
export async function sendForm(
  connection: Connection,
  source: UploadSource,
  { folderId, tags, name, signal, onProgress }: UploadOptions,
): Promise<UploadResult> {
  const key = randomKey();
  const fields = [
    ["folderId", folderId ?? ""],
    ["tags", tags?.join(",") ?? ""],
  ] as const;
  const form = source instanceof Blob ? toForm(source, fields, key, name) : toNativeForm(source, fields);
  const totalBytes = source instanceof Blob ? source.size : 0;
  const tell =
    onProgress && ((sentBytes: number) => onProgress({ sentBytes: Math.min(sentBytes, totalBytes), totalBytes }));
  const headers = {
    "Idempotency-Key": `"${key}"`,
    ...(form instanceof Blob && { "Content-Type": `multipart/form-data; boundary=${key}` }),
  };
  const retries = connection.retries(signal);
  for (;;) {
    try {
      tell?.(0);
      const answer = await connection.send({
        ...{ method: "POST", path: "/images/upload", headers, body: form, signal },
        onSent: tell,
      });
      const result = await readJson<UploadResult>(answer);
      tell?.(totalBytes);
      return result;
    } catch (error) {
      await retries.after(error);
    }
  }
}

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * A form as a Blob (RFC 7578): its file is read as it is sent, its length is known, and every try sends the same bytes. (Node's `fetch`
 * never ends where a connection breaks in the middle of a `FormData`.)
 */
function toForm(file: Blob, fields: Fields, boundary: string, name?: string): Blob {
  const filename = (name ?? (file as Partial<File>).name ?? "file").replace(/[\r\n"]/g, encodeURIComponent);
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${head}\r\n`;
  const given = fields
    .filter(([, value]) => value !== "")
    .map(([field, value]) => `${part(`${field}"`)}\r\n${value}\r\n`);
  const head = part(`file"; filename="${filename}"`);
  return new Blob([...given, head, "\r\n", file, `\r\n--${boundary}--\r\n`]);
}

/** React Native reads its own files, and only as part of its own forms. */
function toNativeForm(file: NativeFile, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of fields) if (value !== "") form.append(name, value);
  form.append("file", file as never);
  return form;
}
