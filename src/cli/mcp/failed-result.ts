import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MediaHostError } from "../../client/index.ts";
import { reasonOf } from "../upload/local-file.ts";
import { toFailure } from "../upload/outcome.ts";
import { NoRegularFile, OutsideRoots } from "../upload/roots.ts";

/** A failure that the service did not answer. */
export class ToolError extends Error {
  /** The stable name of the error: the service's, or one of this server's own. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The failure of a tool as JSON, so that a model can read why, and what to do: `{error, code, statusCode?, details?, retryAfterSeconds?}`. */
export function toFailedResult(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(describe(error)) }] };
}

function describe(error: unknown): object {
  if (error instanceof MediaHostError) {
    const { retryAfterSeconds } = error;
    const code = error.statusCode === 0 ? { code: "unreachable" } : {};
    return { ...code, ...toFailure(error), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (error instanceof ToolError) return { error: error.message, code: error.code };
  if (error instanceof OutsideRoots) return { error: error.message, code: "outside_root" };
  if (error instanceof NoRegularFile) return { error: error.message, code: "not_a_file" };
  return { error: reasonOf(error), code: "failed" };
}
