import { MediaHostError } from "../../client/media-host-error.ts";

/** Whether the service refused a mailed link. A retry would be refused as well. */
export function isRefusedLink(error: unknown): boolean {
  return error instanceof MediaHostError && error.code === "invalid_link";
}
