import type { CDPSession, Page } from "playwright-core";

interface Value {
  readonly value?: unknown;
}

/** A node of Chromium's accessibility tree, which screen readers get. */
interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
  readonly childIds?: readonly string[];
}

/** Marks around names in messages, which are not spoken. */
const ISOLATES = /[\u2066-\u2069]/g;
const LIVE = ["status", "alert", "log"];

/** Reads a page as a screen reader does: from the browser's accessibility tree. */
export class ScreenReader {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async open(page: Page): Promise<ScreenReader> {
    return new ScreenReader(await page.context().newCDPSession(page));
  }

  /** The focused element: "New key, button". Its states follow: "Name, textbox, required", then its description in brackets. */
  async focused(): Promise<string> {
    const nodes = await this.#nodes();
    const node = nodes.findLast((each) => propertyOf(each, "focused") === true && each.role?.value !== "RootWebArea");
    if (node === undefined) return "nothing";
    const states = [
      propertyOf(node, "required") === true && "required",
      propertyOf(node, "invalid") === "true" && "invalid",
      propertyOf(node, "disabled") === true && "disabled",
      propertyOf(node, "selected") === true && "selected",
      propertyOf(node, "pressed") === "true" && "pressed",
      propertyOf(node, "checked") === "true" && "checked",
    ];
    const spoken = [node.name?.value || "no name", node.role?.value, ...states].filter(Boolean).join(", ");
    return node.description?.value ? `${spoken} (${node.description.value})` : spoken;
  }

  /** The texts of the live regions. */
  async announced(): Promise<string[]> {
    const nodes = await this.#nodes();
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const textOf = ({ role, name, childIds = [] }: Node): string =>
      role?.value === "StaticText"
        ? String(name?.value)
        : childIds.map((id) => textOf(byId.get(id) ?? { nodeId: id, ignored: true })).join(" ");
    return nodes
      .filter(({ ignored, role }) => !ignored && LIVE.includes(String(role?.value)))
      .map((node) => textOf(node).replaceAll(/\s+/g, " ").trim())
      .filter((text) => text !== "");
  }

  /** The names of the open dialogs and messages. */
  async dialogs(): Promise<string[]> {
    const nodes = await this.#nodes();
    return nodes
      .filter(({ role }) => role?.value === "dialog")
      .map(({ name }) => String(name?.value).replaceAll(ISOLATES, ""));
  }

  async #nodes(): Promise<readonly Node[]> {
    return (await this.#session.send("Accessibility.getFullAXTree")).nodes as readonly Node[];
  }
}

function propertyOf({ properties = [] }: Node, name: string): unknown {
  return properties.find((property) => property.name === name)?.value.value;
}
