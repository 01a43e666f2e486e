import { beforeAll, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../../src/dashboard/design/base.css";
import "../../src/dashboard/design/tokens.css";
import SizeChoice from "../../src/dashboard/library/filter-bar/size-choice.tsx";
import { NO_FILTERS } from "../../src/dashboard/library/view/filters.ts";

const KB = 1024;
const MB = 1024 * KB;

beforeAll(() => page.viewport(400, 400));

/** Opens the choice for a least size. @returns its field, and the filters that it sets */
async function open(min: number | undefined, max?: number) {
  const onChange = vi.fn();
  const screen = await render(
    <SizeChoice filters={{ ...NO_FILTERS, min, max }} onChange={onChange} close={() => undefined} />,
  );
  const chosen = () => onChange.mock.calls.map(([filters]) => [filters.min, filters.max]);
  return { field: screen.getByLabelText("Larger than (MB)"), chosen };
}

it.each([
  [50 * KB, 0.0488],
  [0.05 * MB, 0.05],
  [1.5 * MB, 1.5],
  [10 * MB, 10],
  [1234.4 * MB, 1234],
])("A least size of %d bytes is shown as %d MB, and Enter leaves it as it is", async (min, shown) => {
  const { field, chosen } = await open(min);
  await expect.element(field).toHaveValue(shown);
  await userEvent.click(field);
  await userEvent.keyboard("{Enter}");
  expect(chosen()).toEqual([]);
});

it.each<[string, number | undefined]>([
  ["0.05", Math.round(0.05 * MB)],
  ["2", 2 * MB],
  ["0", undefined],
])("A least size of %s MB is chosen by Enter", async (text, min) => {
  const { field, chosen } = await open(10 * MB);
  await userEvent.fill(field, text);
  await userEvent.keyboard("{Enter}");
  expect(chosen()).toEqual([[min, undefined]]);
});

it("An empty field ends a range", async () => {
  const { field, chosen } = await open(MB, 10 * MB);
  await expect.element(field).toHaveValue(null);
  await userEvent.click(field);
  await userEvent.keyboard("{Enter}");
  expect(chosen()).toEqual([[undefined, undefined]]);
});
