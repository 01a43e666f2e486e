import { MediaHostError } from "../../client/media-host-error.ts";

/** Whether the service refused a mailed link: a further try would be refused as well. */
export function isRefusedLink(error: unknown): boolean {
  return error instanceof MediaHostError && error.code === "invalid_link";
}
