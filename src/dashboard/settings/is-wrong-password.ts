import { MediaHostError } from "../../client/media-host-error.ts";

export function isWrongPassword(error: unknown): boolean {
  return error instanceof MediaHostError && error.code === "wrong_password";
}
