import { beforeAll, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../../src/dashboard/design/base.css";
import "../../src/dashboard/design/tokens.css";
import { TrayRow } from "../../src/dashboard/uploads/tray-row.tsx";
import type { UploadItem } from "../../src/dashboard/uploads/upload-item.ts";

beforeAll(() => page.viewport(384, 600));

const item = (more: Partial<UploadItem>): UploadItem => ({
  id: 1,
  name: "a.png",
  sizeBytes: 100,
  target: { folderId: null, tags: [] },
  state: "queued",
  sentBytes: 0,
  message: undefined,
  remedy: undefined,
  result: undefined,
  ...more,
});

/** The text nodes of an element, in their order. */
function textsOf(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

/** The horizontal position of a letter's first occurrence. */
function placeOf(element: Element, letter: string): number {
  const text = textsOf(element).find(({ data }) => data.includes(letter));
  if (text === undefined) throw new Error(`No ${letter}`);
  const range = document.createRange();
  range.setStart(text, text.data.indexOf(letter));
  range.setEnd(text, text.data.indexOf(letter) + letter.length);
  return range.getBoundingClientRect().left;
}

describe("names in the tray", () => {
  it("A name in the tray keeps the order of letters that run from right to left", async () => {
    const name = "صورة العائلة.jpg";
    await render(<TrayRow item={item({ name })} />);
    const shown = page.getByTitle(name).element();
    // The first letters of each word, and of the ending.
    expect(placeOf(shown, "ص")).toBeGreaterThan(placeOf(shown, "ع"));
    expect(placeOf(shown, "ع")).toBeGreaterThan(placeOf(shown, "ئ"));
    expect(shown.textContent).toBe(name);
  });

  it("A name in the tray is split between emoji, and its ending is visible", async () => {
    const name = `${"👨‍👩‍👧‍👦".repeat(40)} 1.jpg`;
    await render(<TrayRow item={item({ name })} />);
    const shown = page.getByTitle(name).element();
    const parts = textsOf(shown).map(({ data }) => data);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(parts.every((part) => !/^[\u200d\ufe0f]|\u200d$/.test(part))).toBe(true);
    expect(placeOf(shown, ".jpg")).toBeLessThan(shown.getBoundingClientRect().right - 10);
  });
});
