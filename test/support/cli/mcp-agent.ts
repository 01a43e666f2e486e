import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { CliUser } from "./run-cli.ts";

/** An agent with the SDK's own client, which starts `media-host mcp` and checks every structured result against the tool's schema. */
export class McpAgent implements AsyncDisposable {
  readonly client = new Client({ name: "test", version: "1.0.0" });
  readonly transport: StdioClientTransport;

  private constructor(transport: StdioClientTransport) {
    this.transport = transport;
  }

  /** @param args the options of `mcp` */
  static async start(user: CliUser, args: readonly string[] = []): Promise<McpAgent> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [resolve(".cli/media-host.js"), "mcp", ...args],
      env: user.env as Record<string, string>,
      cwd: user.home,
      stderr: "pipe",
    });
    const agent = new McpAgent(transport);
    await agent.client.connect(transport);
    // The client learns the results' schemas.
    await agent.client.listTools();
    return agent;
  }

  /** @returns the whole result of a call */
  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args })) as CallToolResult;
  }

  /** @returns the structured result @throws Error if the call failed, or if its text is not its structured result */
  async get<Value = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<Value> {
    const { content, structuredContent, isError } = await this.call(name, args);
    const text = content.findLast((each) => each.type === "text")?.text;
    if (isError) throw new Error(`${name} failed: ${text}`);
    if (text !== JSON.stringify(structuredContent)) throw new Error(`${name}: text and structured result differ`);
    return structuredContent as Value;
  }

  /** @returns the failure of a call @throws Error if it did not fail */
  async failure(name: string, args: Record<string, unknown> = {}): Promise<{ error: string; code: string }> {
    const { content, isError } = await this.call(name, args);
    const [first] = content;
    if (!isError || first?.type !== "text") throw new Error(`${name} did not fail: ${JSON.stringify(content)}`);
    return JSON.parse(first.text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
