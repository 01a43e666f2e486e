import type { UploadResult } from "../api/api.ts";
import { type LibraryItem, toLibraryItem } from "./oracle.ts";

export interface ModelFolder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** The expected library of an account, in memory beside the real one. */
export class LibraryModel {
  /** Newest first. */
  items: readonly LibraryItem[] = [];
  readonly folders = new Map<string, ModelFolder>();
  /** Class A operations; there are no views. */
  operations = 0;

  get storageBytes(): number {
    return sumOfSizes(this.items);
  }

  get trashed(): readonly LibraryItem[] {
    return this.items.filter(({ status }) => status === "trash");
  }

  get folderIds(): readonly string[] {
    return [...this.folders.keys()];
  }

  store(results: readonly UploadResult[]): void {
    this.items = [...results.map(toLibraryItem).reverse(), ...this.items];
    this.operations += results.length;
  }

  /** @returns the number that really changed */
  change(ids: readonly string[], changed: (item: LibraryItem) => Partial<LibraryItem>): number {
    let count = 0;
    this.items = this.items.map((item) => {
      if (!ids.includes(item._id)) return item;
      const after = { ...item, ...changed(item) };
      if (JSON.stringify(after) === JSON.stringify(item)) return item;
      count += 1;
      return after;
    });
    return count;
  }

  remove(id: string): void {
    this.items = this.items.filter(({ _id }) => _id !== id);
    this.operations += 1;
  }

  /** Whether a new or existing folder may have this name and place. */
  allowsFolder({ id, name, parentId }: Omit<ModelFolder, "id"> & { readonly id?: string }): boolean {
    const siblings = [...this.folders.values()].filter((other) => other.parentId === parentId && other.id !== id);
    if (siblings.some((other) => other.name === name)) return false;
    return id === undefined || parentId === null || !this.branch(id).includes(parentId);
  }

  /** A folder and its descendants. */
  branch(id: string): string[] {
    const below = [...this.folders.values()].filter(({ parentId }) => parentId === id);
    return [id, ...below.flatMap((folder) => this.branch(folder.id))];
  }

  /** @returns the counts of the expected answer */
  removeFolder(id: string): { deletedFolders: number; movedUploads: number } {
    const branch = this.branch(id);
    for (const folderId of branch) this.folders.delete(folderId);
    const inside = this.items.filter(({ folderId }) => folderId !== null && branch.includes(folderId));
    const movedUploads = this.change(
      inside.map(({ _id }) => _id),
      () => ({ folderId: null }),
    );
    return { deletedFolders: branch.length, movedUploads };
  }
}

export function sumOfSizes(items: readonly LibraryItem[]): number {
  return items.reduce((sum, { fileSize }) => sum + fileSize, 0);
}
