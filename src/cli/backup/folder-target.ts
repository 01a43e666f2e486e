import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Target } from "./target.ts";

const OWNER_FOLDER = { recursive: true, mode: 0o700 } as const;
const OWNER_FILE = { mode: 0o600 } as const;

/** A backup in a folder. Files appear as a whole or not at all, and only their owner can read them. */
export function openFolder(path: string): Target {
  const root = resolve(path);
  const at = (name: string) => join(root, name);
  const fresh = async (name: string) => {
    await mkdir(dirname(at(name)), OWNER_FOLDER);
    return `${at(name)}.${randomBytes(6).toString("hex")}.part`;
  };
  return {
    title: root,
    async put(name, bytes) {
      const part = await fresh(name);
      await writeFile(part, bytes, { ...OWNER_FILE, flush: true });
      await rename(part, at(name));
    },
    async begin(name) {
      const part = await fresh(name);
      const file = await open(part, "w", OWNER_FILE.mode);
      return {
        write: async (bytes) => void (await file.writeFile(bytes)),
        async complete() {
          await file.sync();
          await file.close();
          await rename(part, at(name));
        },
        async abort() {
          await file.close();
          await rm(part, { force: true });
        },
      };
    },
    async get(name) {
      try {
        return await readFile(at(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async getRange(name, offset, length) {
      const file = await open(at(name), "r");
      try {
        const bytes = new Uint8Array(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
          if (bytesRead === 0) throw new Error(`${name} is shorter than it was`);
          filled += bytesRead;
        }
        return bytes;
      } finally {
        await file.close();
      }
    },
    async list(prefix) {
      const entries = await readdir(at(prefix), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
        .map(({ parentPath, name }) =>
          join(parentPath, name)
            .slice(root.length + 1)
            .replaceAll("\\", "/"),
        );
    },
    delete: (name) => rm(at(name), { force: true }),
  };
}
