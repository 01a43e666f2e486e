import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Ids } from "./owners.ts";

/** Tests are checked without the types of pages. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
  readonly contains: (element: unknown) => boolean;
}

export interface Overlay {
  readonly path: string | ((ids: Ids) => string);
  /** The element that has the focus before, and gets it back. */
  readonly opener: (page: Page) => Locator;
  /** The key that opens it from there; Enter by default. */
  readonly key?: string;
  /** The item of the opened menu that opens it. */
  readonly item?: string;
  readonly role?: "dialog" | "menu";
  readonly name: string | RegExp;
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first();
const tile = (page: Page) => page.locator('[data-position="0"]');
const folder = (page: Page) => page.getByRole("treeitem", { name: /^Folder 1/ });

/** Dialogs and menus that open in the library, by the name of the button. */
const library = (opener: string | RegExp, name: string | RegExp = opener): Overlay => ({
  path: "/library",
  opener: button(opener),
  name,
});
/** Dialogs and menus that a key opens from the first file. */
const onTile = (key: string, name: string | RegExp, role: Overlay["role"] = "dialog"): Overlay => ({
  path: "/library",
  opener: tile,
  key,
  name,
  role,
});
const at = (path: Overlay["path"], opener: string | RegExp, name: string | RegExp): Overlay => ({
  path,
  opener: button(opener),
  name,
});

/** Each kind of dialog, menu and popover of the dashboard, opened by keys alone. */
export const OVERLAYS: Readonly<Record<string, Overlay>> = {
  "upload-ways": { ...library("More ways to upload", ""), role: "menu" },
  "upload-options": { ...library("More ways to upload", "Upload options"), item: "Upload options" },
  import: { ...library("More ways to upload", "Import from the web"), item: "Import from the web" },
  types: library("Type"),
  sizes: library("Size"),
  dates: library("Date"),
  "tag-filter": library("Tags"),
  more: library("More", "More filters"),
  sort: { ...library(/^Sort: /, ""), role: "menu" },
  "account-menu": { ...library(/^Account: /, ""), role: "menu" },
  "new-folder": library("New folder"),
  "folder-menu": { path: "/library", opener: folder, key: "Shift+F10", name: "", role: "menu" },
  palette: onTile("Control+k", ""),
  help: onTile("?", "Keyboard shortcuts"),
  "file-menu": onTile("Shift+F10", "", "menu"),
  move: onTile("m", "Move 1 file"),
  tags: onTile("t", "Tags of 1 file"),
  share: onTile("s", "Share 1 file"),
  formats: onTile("Shift+C", /./),
  "save-search": at("/library?type=jpeg", "Save search", "Save this search"),
  "file-sizes": at(({ file }) => `/library/${file}`, "Use this picture", /^Use /),
  "empty-trash": at("/trash", "Empty the trash", /permanently/),
  "new-key": at("/developers", "New key", "New key"),
  "key-menu": { ...at("/developers", "Actions for Key 1", ""), role: "menu" },
  "new-token": at("/developers/upload-tokens", "New token", "New upload token"),
  "revoke-token": at("/developers/upload-tokens", /^Revoke/, /^Revoke/),
  webhook: at("/developers/webhooks", "Add webhook", /webhook/),
  deliveries: at("/developers/webhooks", /^Deliveries/, /hook-0/),
  "remove-webhook": at("/developers/webhooks", /^Remove/, /hook-0/),
  "edit-share": at("/shares", /^Edit/, /Share/),
  "share-code": at("/shares", /QR code/, /Share/),
  "end-share": at("/shares", /^End/, /Share/),
  preset: at("/settings", "New preset", "New preset"),
  "delete-preset": at("/settings", /^Delete/, /size-/),
  erase: at("/settings/account", "Erase everything", "Erase your account?"),
  "end-sessions": at("/settings/account", "End all others", "End all other sessions?"),
  tier: at(({ account }) => `/operator/accounts/${account}`, "Change tier", /^Change the tier/),
  suspend: at(({ account }) => `/operator/accounts/${account}`, "Suspend", /^Suspend/),
  "erase-account": at(({ account }) => `/operator/accounts/${account}`, "Erase", /^Erase/),
  dismiss: at("/operator/reports", /^Dismiss/, "Dismiss the report?"),
  "take-down": at("/operator/takedowns", "Take a file down", "Take a file down?"),
  restore: at("/operator/takedowns", /^Restore/, /^Restore/),
  "drop-letter": at("/operator/queues", /^Drop/, "Drop the message?"),
  shard: at("/operator/shards", /^Close shard/, /^Close shard/),
};

/** Opens an overlay by keys. @returns the overlay, which has the focus */
export async function openOverlay(
  page: Page,
  opener: Locator,
  { key = "Enter", item, role = "dialog", name }: Overlay,
): Promise<Locator> {
  await opener.focus();
  await page.keyboard.press(key);
  if (item !== undefined) await page.getByRole("menuitem", { name: item }).press("Enter");
  const overlay = page.getByRole(role, name === "" ? {} : { name }).last();
  await overlay.waitFor();
  await expect.poll(() => overlay.evaluate(CONTAINS_FOCUS)).toBe(true);
  return overlay;
}

const CONTAINS_FOCUS = (element: Focusable) => element.contains(element.ownerDocument.activeElement);

/** Whether an element has the focus. */
export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element: Focusable) => element === element.ownerDocument.activeElement);
}
