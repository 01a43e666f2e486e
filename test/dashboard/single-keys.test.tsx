import { Suspense, useEffect } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../../src/dashboard/design/base.css";
import "../../src/dashboard/design/tokens.css";
import { KeyboardSection } from "../../src/dashboard/settings/keyboard-section.tsx";
import { registerCommands } from "../../src/dashboard/shell/commands.ts";
import HelpSheet from "../../src/dashboard/shell/help-sheet.tsx";
import { setSingleKeys } from "../../src/dashboard/shell/single-keys.ts";
import { useCommandKeys } from "../../src/dashboard/shell/use-command-keys.ts";
import { findBarriersHere } from "./find-barriers-here.ts";

const upload = vi.fn();
const openPalette = vi.fn();
const selectAll = vi.fn();
const tag = vi.fn();
const goToTrash = vi.fn();

function Settings() {
  useCommandKeys();
  useEffect(
    () =>
      registerCommands([
        { id: "upload", title: "Upload", keys: "u", run: upload },
        { id: "palette", title: "All commands", keys: "$mod+k", run: openPalette },
        { id: "select-all", title: "Select all", keys: "$mod+a", run: selectAll },
        { id: "tag", title: "Tag", keys: "t", run: tag },
        { id: "trash", title: "Trash", keys: "g t", run: goToTrash },
      ]),
    [],
  );
  return (
    <>
      <KeyboardSection />
      <input aria-label="Search" defaultValue="beach" />
    </>
  );
}

function Help() {
  return (
    <Suspense>
      <HelpSheet open onOpenChange={() => undefined} />
    </Suspense>
  );
}

beforeAll(() => page.viewport(1280, 800));

afterEach(() => {
  setSingleKeys(true);
  vi.clearAllMocks();
});

it("The switch turns single-key shortcuts off and on, but not shortcuts with a modifier", async () => {
  const screen = await render(<Settings />);
  const toggle = screen.getByRole("switch", { name: /^Single-key shortcuts/ });
  await expect.element(toggle).toBeChecked();
  await userEvent.keyboard("u");
  expect(upload).toHaveBeenCalledTimes(1);
  await toggle.click();
  await expect.element(toggle).not.toBeChecked();
  await userEvent.keyboard("u{Control>}k{/Control}");
  expect([upload.mock.calls.length, openPalette.mock.calls.length]).toEqual([1, 1]);
  await toggle.click();
  await userEvent.keyboard("u");
  expect(upload).toHaveBeenCalledTimes(2);
});

it("A text field keeps the shortcuts that edit text, and leaves the others to the page", async () => {
  const screen = await render(<Settings />);
  const field = screen.getByRole("textbox", { name: "Search" });
  await field.click();
  await userEvent.keyboard("{Control>}ak{/Control}");
  const input = field.element() as HTMLInputElement;
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, "beach".length]);
  expect([selectAll.mock.calls.length, openPalette.mock.calls.length]).toEqual([0, 1]);
  input.blur();
  await userEvent.keyboard("{Control>}a{/Control}");
  expect(selectAll).toHaveBeenCalledTimes(1);
});

it("The last key of a sequence does not run the command of that key alone, whichever was registered first", async () => {
  await render(<Settings />);
  await userEvent.keyboard("gt");
  expect([goToTrash.mock.calls.length, tag.mock.calls.length]).toEqual([1, 0]);
  await userEvent.keyboard("t");
  expect([goToTrash.mock.calls.length, tag.mock.calls.length]).toEqual([1, 1]);
});

it("The setting lasts until the user changes it", async () => {
  const first = await render(<Settings />);
  await first.getByRole("switch").click();
  await first.unmount();
  const second = await render(<Settings />);
  await expect.element(second.getByRole("switch")).not.toBeChecked();
});

it("The help sheet says when single-key shortcuts are off", async () => {
  const screen = await render(<Help />);
  await expect.element(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expect.element(screen.getByText(/shortcuts are off/)).not.toBeInTheDocument();
  setSingleKeys(false);
  await expect.element(screen.getByText(/Single-key shortcuts are off/)).toBeVisible();
  expect(await findBarriersHere()).toEqual([]);
});
