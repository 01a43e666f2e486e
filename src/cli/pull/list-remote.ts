import type { Client, Folder, MediaObject } from "../../client/index.ts";
import { ROOT } from "../library/find-folder.ts";

export interface RemoteFile {
  readonly _id: string;
  readonly url: string;
  readonly originalFilename: string;
  readonly filename: string;
  readonly folderId: string | null;
  readonly fileSize: number;
  readonly originalFileSize: number;
  readonly createdAt: string;
  /** Of the stored bytes; undefined if the service does not know it. */
  readonly sha256: string | undefined;
  /** Of the bytes as they were uploaded; undefined if the service does not know it. */
  readonly uploadedSha256: string | undefined;
  /** Whether the URL has to be signed before it can be read. */
  readonly isUnsigned: boolean;
}

export interface RemoteTree {
  readonly files: readonly RemoteFile[];
  /** The folders below the top. */
  readonly folders: readonly Folder[];
}

/** A tree of more folders is read from the list of all files. */
const FOLDERS_ONE_BY_ONE = 20;

/** Lists the active files of a folder and of all folders below it. @param top null is Root @throws MediaHostError */
export async function listRemote(host: Client, top: string | null, signal: AbortSignal): Promise<RemoteTree> {
  const all = await host.folders.list({ signal });
  const folders = below(all, top);
  const ids = new Set([...folders.map(({ _id }) => _id), ...(top === null ? [] : [top])]);
  const isAll = top === null || ids.size > FOLDERS_ONE_BY_ONE;
  const files: RemoteFile[] = [];
  for (const folderId of isAll ? ["all"] : ids) {
    for await (const image of host.images({ folderId, status: "active" }, { signal })) {
      if (top === null || ids.has(image.folderId ?? ROOT)) files.push(toRemoteFile(image));
    }
  }
  return { files, folders };
}

export function toRemoteFile(image: MediaObject): RemoteFile {
  const { _id, url, viewUrl, visibility, originalFilename, filename, folderId, fileSize, originalFileSize, createdAt } =
    image;
  // Services of earlier versions do not send hashes.
  const { sha256, uploadedSha256 } = image as { sha256?: string | null; uploadedSha256?: string };
  return {
    _id,
    originalFilename,
    filename,
    folderId,
    fileSize,
    originalFileSize,
    createdAt,
    sha256: sha256 ?? undefined,
    uploadedSha256: uploadedSha256 ?? sha256 ?? undefined,
    // A session's URL counts no view.
    url: viewUrl ?? url,
    isUnsigned: visibility === "private" && !viewUrl,
  };
}

function below(folders: readonly Folder[], top: string | null): Folder[] {
  const inside = new Map<string | null, Folder[]>();
  for (const folder of folders) inside.set(folder.parentId, [...(inside.get(folder.parentId) ?? []), folder]);
  const found: Folder[] = [];
  const waiting = [...(inside.get(top) ?? [])];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    found.push(folder);
    waiting.push(...(inside.get(folder._id) ?? []));
  }
  return found;
}
