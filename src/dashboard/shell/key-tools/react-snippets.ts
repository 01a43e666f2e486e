import type { SnippetInput } from "./config-files.ts";
import type { Snippet } from "./snippet.ts";

/** A component that uploads the chosen file. */
export function react({ baseUrl, key }: SnippetInput): Snippet {
  const text = `import { type ChangeEvent, useState } from "react";

export function Upload() {
  const [url, setUrl] = useState<string>();
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const body = new FormData();
    body.append("file", file);
    const answer = await fetch("${baseUrl}/images/upload", {
      method: "POST",
      headers: { Authorization: "Bearer ${key}" },
      body,
    });
    const result = await answer.json();
    if (!answer.ok) throw new Error(result.error);
    setUrl(result.url);
  };
  return (
    <>
      <input type="file" accept="image/*,video/*" aria-label="File" onChange={upload} />
      {url && <img src={url} alt="" />}
    </>
  );
}`;
  return {
    id: "react",
    title: "React",
    hint: "All visitors of the page can read the key: use a key that can only upload, or the code for Next.js, which keeps the key on the server.",
    files: [{ name: "React", text }],
  };
}

/** A route that makes upload tokens, and a component that uploads with them. */
export function next({ baseUrl, key }: SnippetInput): Snippet {
  const route = `export async function POST() {
  const answer = await fetch("${baseUrl}/upload-tokens", {
    method: "POST",
    headers: {
      Authorization: "Bearer ${key}",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ maxFiles: 1, maxBytes: 20_000_000, types: ["image/*"], expiresIn: 600 }),
  });
  return Response.json(await answer.json(), { status: answer.status });
}`;
  const component = `"use client";
import { type ChangeEvent, useState } from "react";

export function Upload() {
  const [url, setUrl] = useState<string>();
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const { token } = await (await fetch("/upload-token", { method: "POST" })).json();
    const body = new FormData();
    body.append("file", file);
    const answer = await fetch("${baseUrl}/images/upload", {
      method: "POST",
      headers: { Authorization: \`Bearer \${token}\` },
      body,
    });
    const result = await answer.json();
    if (!answer.ok) throw new Error(result.error);
    setUrl(result.url);
  };
  return (
    <>
      <input type="file" accept="image/*" aria-label="Picture" onChange={upload} />
      {url && <img src={url} alt="" />}
    </>
  );
}`;
  return {
    id: "next",
    title: "Next.js",
    hint: "This code is for the App Router. The key stays on your server, which gives each visitor a token for one picture. Let the route check the visitor first.",
    files: [
      { name: "app/upload-token/route.ts", text: route },
      { name: "app/upload.tsx", text: component },
    ],
  };
}
