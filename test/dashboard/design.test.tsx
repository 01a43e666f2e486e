import Copy from "lucide-react/icons/copy";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../../src/dashboard/design/base.css";
import { Button } from "../../src/dashboard/design/button.tsx";
import { Checkbox } from "../../src/dashboard/design/checkbox.tsx";
import { Chip } from "../../src/dashboard/design/chip.tsx";
import { CodeBlock } from "../../src/dashboard/design/code-block.tsx";
import { ConfirmDialog } from "../../src/dashboard/design/confirm-dialog.tsx";
import { Empty } from "../../src/dashboard/design/empty.tsx";
import { Field } from "../../src/dashboard/design/field.tsx";
import { IconButton } from "../../src/dashboard/design/icon-button.tsx";
import { Menu } from "../../src/dashboard/design/menu.tsx";
import { Meter } from "../../src/dashboard/design/meter.tsx";
import { Policy } from "../../src/dashboard/design/policy.tsx";
import { Popover } from "../../src/dashboard/design/popover.tsx";
import { Problem } from "../../src/dashboard/design/problem.tsx";
import { Segmented } from "../../src/dashboard/design/segmented.tsx";
import { Slider } from "../../src/dashboard/design/slider.tsx";
import { Switch } from "../../src/dashboard/design/switch.tsx";
import { Tabs } from "../../src/dashboard/design/tabs.tsx";
import { Toasts, toast } from "../../src/dashboard/design/toast.tsx";
import "../../src/dashboard/design/tokens.css";
import { findBarriersHere } from "./find-barriers-here.ts";

beforeAll(() => page.viewport(1280, 800));
afterEach(() => {
  delete document.documentElement.dataset.theme;
});

function Everything() {
  const [view, setView] = useState<"grid" | "table">("grid");
  const [size, setSize] = useState(148);
  return (
    <main>
      <h1>Parts</h1>
      {(["main", "plain", "danger", "quiet"] as const).map((tone) => (
        <Button key={tone} tone={tone} icon={Trash2}>
          {tone}
        </Button>
      ))}
      <Button busy>Saving</Button>
      <IconButton label="Delete" icon={Trash2} />
      <Field label="E-mail" name="email" hint="Never shown" error="Invalid email address" />
      <Checkbox label="Folders" hint="Lists and makes them" defaultChecked />
      <Switch label="Compress images" defaultChecked />
      <Segmented
        label="View"
        value={view}
        onChange={setView}
        options={[
          { value: "grid", title: "Grid", icon: Copy },
          { value: "table", title: "Table" },
        ]}
      />
      <Slider label="Size" min={96} max={260} value={size} onChange={setSize} />
      <Chip on onRemove={() => undefined} removeLabel="Remove press">
        press
      </Chip>
      <Meter label="Storage" max={10} valueText="3 of 10 GB" parts={[{ title: "Images", value: 3 }]} />
      <CodeBlock code="curl https://media.example" label="curl" />
      <Tabs label="Tools" tabs={["curl", "ShareX"].map((title) => ({ id: title, title, content: title }))} />
      <Empty title="Nothing in the trash">What is put there is kept.</Empty>
      <Problem error={{ message: "Busy", statusCode: 503, requestId: "r1" }} onRetry={() => undefined} />
    </main>
  );
}

describe.each(["light", "dark"] as const)("every part, %s", (theme) => {
  it("The parts have no accessibility fault", async () => {
    document.documentElement.dataset.theme = theme;
    await render(<Everything />);
    expect(await findBarriersHere()).toEqual([]);
  });
});

/** A colour as the browser computes it. */
function computed(colour: string): string {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = colour;
  const { backgroundColor } = getComputedStyle(probe);
  probe.remove();
  return backgroundColor;
}

it.each([
  [790, "accent"],
  [800, "warn"],
  [949, "warn"],
  [950, "danger"],
])("A meter with %i of 1,000 used has shades of the colour %s, whichever part is used", async (used, tone) => {
  for (const [at, shade] of [
    [0, `var(--${tone})`],
    [1, `color-mix(in oklab, var(--${tone}) 68%, var(--surface))`],
  ] as const) {
    const parts = ["Images", "Videos"].map((title, index) => ({ title, value: index === at ? used : 0 }));
    const screen = await render(<Meter label="Storage" max={1000} valueText="" parts={parts} />);
    const [part, ...others] = screen.getByRole("meter").element().children;
    expect(getComputedStyle(part as Element).backgroundColor).toBe(computed(shade));
    expect(others).toEqual([]);
    await screen.unmount();
  }
});

it("A form that is not sent shows the error of each field and focuses the first wrong field", async () => {
  const send = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  const screen = await render(
    <form onSubmit={send}>
      <Field label="Name" name="name" />
      <Field label="E-mail" name="email" type="email" required error="Invalid email address" />
      <Field label="Password" name="password" type="password" required minLength={8} hint="At least 8 characters" />
      <Button type="submit">Create account</Button>
    </form>,
  );
  const [email, password] = [screen.getByLabelText("E-mail"), screen.getByLabelText("Password")];
  await screen.getByRole("button", { name: "Create account" }).click();
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveAccessibleDescription("E-mail is required");
  await expect.element(password).toHaveAccessibleDescription("At least 8 characters Password is required");
  await expect.element(email).toBeInvalid();
  await userEvent.type(email, "ines");
  await expect.element(email).toHaveAccessibleDescription("Enter an e-mail address such as name@example.com");
  await userEvent.type(email, "@example.com");
  // The service's message stays until the form is sent again.
  await expect.element(email).toHaveAccessibleDescription("Invalid email address");
  await userEvent.type(password, "short");
  await userEvent.keyboard("{Enter}");
  await expect.element(password).toHaveFocus();
  await expect.element(password).toHaveAccessibleDescription("At least 8 characters 3 more characters are needed");
  expect(send).not.toHaveBeenCalled();
  await userEvent.type(password, "er now");
  await userEvent.keyboard("{Enter}");
  expect(send).toHaveBeenCalledOnce();
});

it("An empty place keeps the lines of its hint apart", async () => {
  const screen = await render(
    <Empty title="Drop your first files here">
      <p>Each gets a link of its own.</p>
      <CodeBlock code="curl" label="curl" />
    </Empty>,
  );
  const hint = screen.getByText("Each gets a link of its own.").element().getBoundingClientRect();
  const box = screen.getByRole("region", { name: "curl" }).element().parentElement?.getBoundingClientRect();
  expect((box?.top ?? 0) - hint.bottom).toBeGreaterThanOrEqual(8);
});

it("A busy button keeps the focus, announces that it is busy and does nothing", async () => {
  const press = vi.fn();
  const screen = await render(
    <Button busy onClick={press}>
      Save
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Save" });
  button.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  (button.element() as HTMLElement).focus();
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  expect(press).not.toHaveBeenCalled();
});

it("Tabs are chosen by arrows, and Tab moves to the panel", async () => {
  const tabs = ["curl", "JavaScript", "ShareX"].map((title) => ({
    id: title,
    title,
    content: <a href="#x">{title}!</a>,
  }));
  const screen = await render(<Tabs label="Tools" tabs={tabs} />);
  (screen.getByRole("tab", { name: "curl" }).element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(screen.getByRole("tab", { name: "ShareX" })).toHaveFocus();
  await expect.element(screen.getByRole("tabpanel")).toHaveTextContent("ShareX!");
  await userEvent.keyboard("{ArrowRight}{Tab}");
  await expect.element(screen.getByRole("link", { name: "curl!" })).toHaveFocus();
});

describe("menus", () => {
  it("A menu opens and moves by arrows, runs one item and returns the focus", async () => {
    const select = vi.fn();
    const items = ["Rename", "Move", "Delete"].map((title) => ({ id: title, title, onSelect: () => select(title) }));
    const screen = await render(
      <Policy>
        <Menu trigger={<Button>More</Button>} items={items} />
      </Policy>,
    );
    const trigger = screen.getByRole("button", { name: "More" });
    (trigger.element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(screen.getByRole("menu")).toBeVisible();
    expect(await findBarriersHere()).toEqual([]);
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(screen.getByRole("menuitem", { name: /Move|Rename/ }).first()).toBeVisible();
    await userEvent.keyboard("m{Enter}");
    await expect.poll(() => select.mock.calls).toEqual([["Move"]]);
    await expect.element(trigger).toHaveFocus();
    expect(document.querySelectorAll("head style[data-base-ui], body style")).toHaveLength(0);
  });
});

describe("popovers", () => {
  it("A popover opens and closes by its button, and closes by Escape", async () => {
    const screen = await render(
      <Popover label="Size" trigger={<Button>Size</Button>}>
        <input aria-label="Least" />
      </Popover>,
    );
    const trigger = screen.getByRole("button", { name: "Size" });
    const popover = screen.getByRole("dialog", { name: "Size" });
    await trigger.click();
    await expect.element(popover).toBeVisible();
    await trigger.click();
    await expect.element(popover).not.toBeInTheDocument();
    await trigger.click();
    await expect.element(popover).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(popover).not.toBeInTheDocument();
    await expect.element(trigger).toHaveFocus();
  });
});

describe("confirmations", () => {
  it("A confirmation focuses Cancel, shows why it failed, and closes when it is done", async () => {
    const confirm = vi.fn().mockRejectedValueOnce(new Error("Busy")).mockResolvedValue(undefined);
    function Asking() {
      const [open, setOpen] = useState(true);
      return (
        <ConfirmDialog
          open={open}
          onOpenChange={setOpen}
          title="Delete 3 files permanently?"
          action="Delete"
          onConfirm={confirm}
        >
          Their links stop working at once.
        </ConfirmDialog>
      );
    }
    const screen = await render(<Asking />);
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    expect(await findBarriersHere()).toEqual([]);
    await screen.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(screen.getByRole("alert")).toHaveTextContent("Busy.");
    await screen.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("toasts", () => {
  it("A toast reports an action, undoes it once, and disappears", async () => {
    const undo = vi.fn();
    const screen = await render(
      <Policy>
        <Toasts />
      </Policy>,
    );
    toast({ title: "3 files in the trash", action: { title: "Undo", run: undo } });
    await expect.element(screen.getByText("3 files in the trash").first()).toBeVisible();
    expect(await findBarriersHere()).toEqual([]);
    await screen.getByRole("button", { name: "Undo" }).click();
    await expect.element(screen.getByRole("button", { name: "Undo" })).not.toBeInTheDocument();
    expect(undo).toHaveBeenCalledOnce();
  });

  it("An urgent toast is announced once, and screen readers reach its button", async () => {
    const retry = vi.fn();
    const screen = await render(
      <Policy>
        <Toasts />
      </Policy>,
    );
    toast({ title: "Not saved", tone: "danger", action: { title: "Retry", run: retry } });
    const button = screen.getByRole("button", { name: "Retry" });
    await expect.element(button).toBeVisible();
    expect(announcementsOf("Not saved")).toHaveLength(1);
    expect(await findBarriersHere()).toEqual([]);
    await button.click();
    await expect.element(button).not.toBeInTheDocument();
    expect(retry).toHaveBeenCalledOnce();
  });
});

/** The live regions with a text. Browsers announce alerts and alert dialogs with any `aria-live`. */
function announcementsOf(text: string): Element[] {
  const parts = [...document.querySelectorAll("*")].filter((each) => each.childElementCount === 0);
  return parts
    .filter(({ textContent }) => textContent === text)
    .flatMap((part) => part.closest("[aria-live], [role='alert'], [role='alertdialog']") ?? [])
    .filter(({ role, ariaLive }) => role?.startsWith("alert") || ariaLive !== "off");
}
