import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { sparePart } from "../../src/dashboard/design/lazy-part.tsx";

// A part of a page that loads later, over a network that fails.

afterEach(() => vi.useRealTimers());

/** Fails this often, and then loads a part that shows "Loaded". */
function failing(times: number) {
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries <= times) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: ({ name }: { readonly name: string }) => <p>Loaded {name}</p> };
  };
  return { load, tries: () => tries };
}

it("A spare part whose import fails leaves the page as it is, and is shown when a later import succeeds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { load, tries } = failing(4);
  const Part = sparePart(load, <p>Placeholder</p>);
  function Page() {
    const [text, setText] = useState("");
    return (
      <>
        <input aria-label="Text" value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
        <Part name="later" />
      </>
    );
  }
  const screen = await render(<Page />);
  await screen.getByLabelText("Text").fill("typed before");
  await vi.advanceTimersByTimeAsync(5000);
  expect(tries()).toBe(2);
  expect(screen.getByText("Placeholder").query()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(tries()).toBe(5);
  expect(screen.getByText("Loaded later").query()).not.toBeNull();
  expect(screen.getByText("Placeholder").query()).toBeNull();
  expect((screen.getByLabelText("Text").element() as HTMLInputElement).value).toBe("typed before");
});

it("A spare part that is no longer wanted is not loaded again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { load, tries } = failing(Number.POSITIVE_INFINITY);
  const Part = sparePart(load);
  const screen = await render(<Part name="never" />);
  await vi.advanceTimersByTimeAsync(5000);
  await screen.unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries()).toBe(2);
});
