import type { Locator, Page } from "playwright-core";
import { middleOf } from "./middle-of.ts";

/** Moves in steps, as a hand does: a drag that jumps to its target never starts. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await Promise.all([middleOf(from), middleOf(to)]);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x - 10, start.y - 10, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 10 });
  await page.mouse.move(end.x + 2, end.y);
  await page.mouse.up();
}

/** Drops files and folders from the disk, like a drag from the desktop. */
export async function dropFromDisk(page: Page, paths: readonly string[], onto: Locator): Promise<void> {
  const { x, y } = await middleOf(onto);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await session.detach();
}
