import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type * as z from "zod";
import { toFailedResult } from "./failed-result.ts";

export interface ToolCall {
  /** Aborts if the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Reports progress, if the client wants it. It also keeps the call from running into the client's time limit. */
  progress(done: number, total: number): void;
}

/** A tool of the server: its arguments and its result have schemas. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** @throws ToolError, MediaHostError */
  run(args: z.output<Input>, call: ToolCall): Promise<Result<z.output<Output>>>;
}

export interface Result<Value> {
  readonly value: Value;
  /** Shown before the value. */
  readonly picture?: { readonly data: string; readonly mimeType: string };
}

/** The library belongs to one account, and a call reaches nothing else. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Registers tools and counts their calls in progress. */
export class Toolbox {
  readonly #server: McpServer;
  readonly #calls = new Set<Promise<unknown>>();

  constructor(server: McpServer) {
    this.#server = server;
  }

  add<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): void {
    const { name, title, description, annotations, input, output } = tool;
    const config = { title, description, annotations, inputSchema: input as z.ZodObject, outputSchema: output };
    this.#server.registerTool(name, config, (args, { signal, sendNotification, _meta }): Promise<CallToolResult> => {
      const progressToken = _meta?.progressToken;
      const progress = (done: number, total: number) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress: done, ...(Number.isFinite(total) && { total }) };
        void sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
      };
      const call = tool.run(args as z.output<Input>, { signal, progress }).then(toResult, toFailedResult);
      this.#calls.add(call);
      return call.finally(() => this.#calls.delete(call));
    });
  }

  /** Waits until every call is answered. */
  async idle(): Promise<void> {
    // Calls that were read with the last bytes begin in later turns.
    do {
      await Promise.all(this.#calls);
      await new Promise(setImmediate);
    } while (this.#calls.size > 0);
  }
}

/** Clients without structured results read the text. */
function toResult({ value, picture }: Result<Record<string, unknown>>): CallToolResult {
  const text = { type: "text" as const, text: JSON.stringify(value) };
  return {
    content: picture === undefined ? [text] : [{ type: "image", ...picture }, text],
    structuredContent: value,
  };
}
