import { expect } from "vitest";
import { bearer, call, callJson, type TestFile, type UploadResult, upload } from "../api/api.ts";

/** The library's endpoints as a client calls them. Each expects 200 or 201, unless its comment differs. */

/** Parameters of GET /images; undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface MediaObject {
  readonly _id: string;
  readonly url: string;
  readonly filename: string;
  readonly prompt: string;
  readonly mimeType: string;
  readonly fileSize: number;
  readonly createdAt: string;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly favorite: boolean;
  readonly status: "active" | "trash";
}

export interface ListPage {
  readonly images: readonly MediaObject[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly nextCursor: string | null;
  };
}

export interface Folder {
  readonly _id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly itemCount: number;
}

async function answered<Body>(response: Response): Promise<Body> {
  expect([200, 201], await response.clone().text()).toContain(response.status);
  return response.json<Body>();
}

/** The answer of GET /images, of any status. */
export function requestList(token: string, query: Query | string = {}): Promise<Response> {
  const search = typeof query === "string" ? query : new URLSearchParams(toPairs(query)).toString();
  return call(`/images?${search}`, { headers: bearer(token) });
}

function toPairs(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

export async function listPage(token: string, query: Query | string = {}): Promise<ListPage> {
  return answered(await requestList(token, query));
}

export async function listIds(token: string, query: Query | string = {}): Promise<string[]> {
  return (await listPage(token, query)).images.map(({ _id }) => _id);
}

/** A media object without `viewUrl`, whose signature changes each second. */
async function withoutViewUrl(response: Response): Promise<MediaObject> {
  const { viewUrl: _, ...listed } = await answered<MediaObject & { viewUrl?: string }>(response);
  return listed;
}

export async function getImage(token: string, id: string): Promise<MediaObject> {
  return withoutViewUrl(await call(`/images/${id}`, { headers: bearer(token) }));
}

/** Stores files, 50 a request, with the same fields. @returns their results, oldest first */
export async function uploadMany(
  token: string,
  files: readonly TestFile[],
  fields: Record<string, string> = {},
): Promise<UploadResult[]> {
  const results: UploadResult[] = [];
  for (let at = 0; at < files.length; at += 50) {
    const response = await upload(token, files.slice(at, at + 50), fields);
    const body = await answered<UploadResult & { uploaded?: UploadResult[]; failed?: unknown[] }>(response);
    expect(body.failed ?? []).toEqual([]);
    results.push(...(body.uploaded ?? [body]));
  }
  return results;
}

/** The answer of PATCH /images/:id, of any status. */
export function patchImage(token: string, id: string, changes: unknown): Promise<Response> {
  return callJson("PATCH", `/images/${id}`, token, changes);
}

export async function changeImage(token: string, id: string, changes: unknown): Promise<MediaObject> {
  return withoutViewUrl(await patchImage(token, id, changes));
}

/** Uploads selected by a filter, as the bulk endpoints take it. */
export interface Selection {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly exceptIds?: readonly string[];
  readonly cursor?: string;
}

export interface ChangedMatches {
  readonly updated: number;
  readonly nextCursor: string | null;
}

/** The answer of a change by filter, of any status. */
export function requestBulk(token: string, verb: "update" | "trash" | "restore", body: unknown): Promise<Response> {
  return callJson("POST", `/images/bulk-${verb}`, token, body);
}

/** A change by filter, one call. */
export async function bulkMatches(
  token: string,
  verb: "update" | "trash" | "restore",
  body: Selection & Readonly<Record<string, unknown>>,
): Promise<ChangedMatches> {
  const { pagination, ...changed } = await answered<ChangedMatches & Pick<ListPage, "pagination">>(
    await requestBulk(token, verb, body),
  );
  expect(pagination).toEqual({ nextCursor: changed.nextCursor });
  return changed;
}

/** The answer of POST /images/bulk-update, of any status. */
export function requestBulkUpdate(token: string, body: unknown): Promise<Response> {
  return callJson("POST", "/images/bulk-update", token, body);
}

/** @returns the number that really changed */
export async function bulkUpdate(token: string, body: unknown): Promise<number> {
  return updatedBy(await requestBulkUpdate(token, body));
}

export async function moveToTrash(token: string, ids: readonly string[]): Promise<number> {
  return updatedBy(await callJson("POST", "/images/bulk-trash", token, { ids }));
}

export async function restore(token: string, ids: readonly string[]): Promise<number> {
  return updatedBy(await callJson("POST", "/images/bulk-restore", token, { ids }));
}

async function updatedBy(response: Response): Promise<number> {
  const body = await answered<{ updated: number }>(response);
  expect(body).toEqual({ updated: expect.any(Number) });
  return body.updated;
}

export function deleteImage(token: string, id: string): Promise<Response> {
  return call(`/images/${id}`, { method: "DELETE", headers: bearer(token) });
}

export async function createFolder(token: string, name: string, parentId: string | null = null): Promise<string> {
  return (await answered<Folder>(await callJson("POST", "/folders", token, { name, parentId })))._id;
}

export async function listFolders(token: string): Promise<Folder[]> {
  return (await answered<{ folders: Folder[] }>(await call("/folders", { headers: bearer(token) }))).folders;
}

export async function deleteFolder(
  token: string,
  id: string,
): Promise<{ message: string; deletedFolders: number; movedUploads: number }> {
  return answered(await call(`/folders/${id}`, { method: "DELETE", headers: bearer(token) }));
}

/** Expects 400 with `details` that name at least one of the parameters or fields, or one of its entries (`ids.3`). */
export async function expectInvalid(response: Response, ...names: string[]): Promise<void> {
  const text = await response.text();
  expect(response.status, text).toBe(400);
  const { error, statusCode, details } = JSON.parse(text);
  expect([typeof error, statusCode]).toEqual(["string", 400]);
  const named = Object.keys(details ?? {}).filter((name) => names.includes(name.replace(/\.\d+$/, "")));
  expect(named, text).not.toEqual([]);
  for (const name of named) expect(details[name]).toBeTypeOf("string");
}
