import type { Page } from "playwright-core";
import sharp from "sharp";

/** A page with more stops than this does not end. */
const MOST_STOPS = 400;
/** WCAG 2.2, 1.4.11 and 2.4.13: the contrast of a pixel with the focus to the same pixel without it. */
const LEAST_CONTRAST = 3;
/** A ring of one pixel on the visible half of an element's edge. */
const LEAST_RING = 0.5;
const RING_PX = 5;
/** Day, month, year and the calendar. */
const DATE_PARTS = 4;
const GUARD_MS = 20;

interface Stop {
  readonly id: number;
  readonly name: string;
  /** Elements of one kind show the focus in the same way. */
  readonly kind: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Faults of the place: outside the window, covered, or before the stop before. */
  readonly faults: readonly string[];
}

/** Functions for the page. An element that is only for screen readers is shown by its label. */
const TOOLS = `window.tabPath ??= (() => {
  const ids = new Map();
  const idOf = (element) => ids.get(element) ?? (ids.set(element, ids.size), ids.size - 1);
  const nameOf = (element) =>
    [element.localName, (element.ariaLabel || element.labels?.[0]?.textContent || element.textContent || element.name || "").trim().replace(/\\s+/g, " ").slice(0, 60)].join(" ");
  const isTiny = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < 4 || height < 4 || getComputedStyle(element).opacity === "0";
  };
  const shown = (element) => {
    if (!isTiny(element)) return element;
    let at = element;
    while (at.parentElement !== null && isTiny(at)) at = at.parentElement;
    return at.closest("label") ?? at;
  };
  const boxOf = (element) => {
    const { left, top, right, bottom } = shown(element).getBoundingClientRect();
    let box = { left, top, right, bottom };
    for (let area = element.parentElement; area !== null; area = area.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(area);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const clip = area.getBoundingClientRect();
      box = { left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom) };
    }
    return { left: Math.max(0, box.left), top: Math.max(0, box.top), right: Math.min(innerWidth, box.right), bottom: Math.min(innerHeight, box.bottom) };
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 && element.closest("[inert], [aria-hidden=true]") === null;
  const COMPOSITE = "[role=grid], [role=tree], [role=radiogroup], [role=tablist], [role=toolbar], [role=listbox]";
  const groupOf = (element) => element.closest(COMPOSITE) ?? (element.type === "radio" ? document.querySelector("input[name=" + CSS.escape(element.name) + "]") : element);
  const all = (root) =>
    [...root.querySelectorAll("a[href], button, input, select, textarea, summary, video[controls], [tabindex='0']")]
      .filter((element) => !element.matches(":disabled, [data-base-ui-focus-guard]") && isShown(element));
  let before;
  return {
    start() {
      before = undefined;
      const root = [...document.querySelectorAll("[role=dialog]")].at(-1) ?? document.body;
      const hadIndex = root.hasAttribute("tabindex");
      if (!hadIndex) root.tabIndex = -1;
      root.focus({ preventScroll: true });
      if (!hadIndex) root.removeAttribute("tabindex");
    },
    current() {
      const element = document.activeElement;
      if (element === null || element === document.body) return null;
      if (element.matches("[data-base-ui-focus-guard]")) return "guard";
      const box = boxOf(element);
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const faults = [];
      if (box.right - box.left < 2 || box.bottom - box.top < 2) faults.push("is outside the window");
      else {
        const hit = document.elementFromPoint(x, y);
        const target = shown(element);
        // Points go through some controls, which are shown all the same.
        if (getComputedStyle(target).pointerEvents !== "none" && (hit === null || !(target.contains(hit) || hit.contains(target)))) faults.push("is covered by " + (hit === null ? "nothing" : nameOf(hit)));
      }
      if (before?.isConnected) {
        const last = boxOf(before);
        const isLower = before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
        const isAbove = box.bottom <= last.top + 1 && box.left < last.right;
        const isLeft = box.right <= last.left + 1 && Math.min(box.bottom, last.bottom) - Math.max(box.top, last.top) > 4;
        const hasArea = last.right - last.left > 2 && last.bottom - last.top > 2;
        if (isLower && hasArea && (isAbove || isLeft)) faults.push("is before " + nameOf(before) + ", which has the focus first");
      }
      before = element;
      const kind = [element.localName, element.type ?? "", element.className?.baseVal ?? element.className, element.parentElement?.className ?? ""].join(" ");
      return { id: idOf(element), name: nameOf(element), kind, faults, box: { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top } };
    },
    blur() { const element = document.activeElement; element.blur(); return () => element.focus(); },
    missed(visited) {
      const seen = new Set(visited);
      const reached = new Set([...ids].filter(([, id]) => seen.has(id)).map(([element]) => groupOf(element)));
      const root = document.activeElement?.closest("[role=dialog]") ?? [...document.querySelectorAll("[role=dialog]")].at(-1) ?? document;
      return all(root).filter((element) => !reached.has(groupOf(element))).map(nameOf);
    },
  };
})()`;

/** Kinds whose focus is visible, of all walks of a file. */
export type SeenKinds = Set<string>;

/**
 * Walks through a page by Tab and back by Shift+Tab.
 * @param seen kinds of elements whose focus was measured before, in light and dark; this walk adds its own
 * @returns the faults: elements that are not reached, covered, out of the reading order, without a visible focus, or a trap
 */
export async function walkByTab(page: Page, seen: SeenKinds): Promise<string[]> {
  await page.evaluate(TOOLS);
  await page.evaluate("tabPath.start()");
  const faults: string[] = [];
  const forth = await walk(page, "Tab", faults, async (stop) => {
    faults.push(...stop.faults.map((fault) => `${stop.name} ${fault}`));
    if (seen.has(stop.kind)) return;
    seen.add(stop.kind);
    for (const [colorScheme, share] of Object.entries(await measureRings(page, stop)))
      if (share < LEAST_RING)
        faults.push(`${stop.name} shows no focus in ${colorScheme} (${share.toFixed(2)}): ${stop.kind}`);
  });
  const missed = await page.evaluate<string[]>(`tabPath.missed(${JSON.stringify(forth.map(({ id }) => id))})`);
  faults.push(...missed.map((name) => `${name} is not reached`));
  // The walk back begins at the end of the page, or at the first stop of a dialog.
  const back = await walk(page, "Shift+Tab", faults, async () => undefined);
  const names = (stops: readonly Stop[]) => stops.map(({ name }) => name).sort();
  if (JSON.stringify(names(back)) !== JSON.stringify(names(forth)))
    faults.push(`Shift+Tab reaches ${names(back).join("; ")}, but Tab ${names(forth).join("; ")}`);
  return faults;
}

async function walk(page: Page, key: string, faults: string[], visit: (stop: Stop) => Promise<void>): Promise<Stop[]> {
  const stops: Stop[] = [];
  let again = 0;
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key);
    const stop = await currentStop(page);
    if (stop === null) return stops;
    const known = stops.findIndex(({ id }) => id === stop.id);
    // A date has a stop for each of its parts.
    again = known >= 0 && known === stops.length - 1 ? again + 1 : 0;
    if (again > 0 && again < DATE_PARTS) continue;
    if (known >= 0) {
      if (known > 0) faults.push(`${key} does not leave the part after ${stop.name}`);
      return stops;
    }
    stops.push(stop);
    await visit(stop);
  }
  faults.push(`${key} finds more than ${MOST_STOPS} stops`);
  return stops;
}

/** The element with the focus. The guard of a dialog passes the focus on after a moment. */
async function currentStop(page: Page): Promise<Stop | null> {
  for (;;) {
    const stop = await page.evaluate<Stop | null | "guard">("tabPath.current()");
    if (stop !== "guard") return stop;
    await page.waitForTimeout(GUARD_MS);
  }
}

/** @returns for light and dark, the pixels whose contrast changes by the focus, as a share of the element's edge */
async function measureRings(page: Page, { box }: Stop): Promise<Record<"dark" | "light", number>> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const x = Math.max(0, Math.floor(box.x - RING_PX));
  const y = Math.max(0, Math.floor(box.y - RING_PX));
  const clip = {
    x,
    y,
    width: Math.min(size.width, Math.ceil(box.x + box.width + RING_PX)) - x,
    height: Math.min(size.height, Math.ceil(box.y + box.height + RING_PX)) - y,
  };
  if (clip.width < 2 || clip.height < 2) return { dark: 0, light: 0 };
  const shoot = async (colorScheme: "dark" | "light") => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    return sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer();
  };
  const [darkRing, lightRing] = [await shoot("dark"), await shoot("light")];
  const refocus = await page.evaluateHandle("tabPath.blur()");
  const [dark, light] = [await shoot("dark"), await shoot("light")];
  await refocus.evaluate("(focus) => focus()" as never);
  const edge = 2 * (box.width + box.height);
  return { dark: countChanged(darkRing, dark) / edge, light: countChanged(lightRing, light) / edge };
}

function countChanged(withFocus: Buffer, without: Buffer): number {
  let changed = 0;
  for (let at = 0; at < withFocus.length; at += 3) {
    const [lighter = 0, darker = 0] = [luminance(withFocus, at), luminance(without, at)].sort((a, b) => b - a);
    if ((lighter + 0.05) / (darker + 0.05) >= LEAST_CONTRAST) changed += 1;
  }
  return changed;
}

function luminance(pixels: Buffer, at: number): number {
  const linear = (value = 0) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(pixels[at]) + 0.7152 * linear(pixels[at + 1]) + 0.0722 * linear(pixels[at + 2]);
}
