import type { MediaType } from "../../../src/domain/media-types.ts";

/** A file that standards forbid, or that few programs write. */
export interface OddFile {
  readonly label: string;
  readonly type: MediaType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
