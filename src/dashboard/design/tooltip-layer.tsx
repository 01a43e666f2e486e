import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { formatKeys } from "./format-keys.ts";
import styles from "./tooltip-layer.module.css";

const DELAY_MS = 500;
const GAP = 6;
const EDGE = 8;

interface Tip {
  readonly text: string;
  readonly keys: string | undefined;
  readonly target: DOMRect;
}

/**
 * Shows the tooltip of any element that has `data-tip`. One component serves the whole page, because a page can have thousands of such
 * elements. A tooltip repeats the element's accessible name, so it is hidden from screen readers.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>();
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | undefined;
    const hide = () => {
      clearTimeout(timer);
      current = undefined;
      setTip(undefined);
    };
    const show = (event: Event) => {
      const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]") : null;
      if (element === current) return;
      hide();
      if (element === null || (event.type === "focusin" && !element.matches(":focus-visible"))) return;
      current = element;
      timer = setTimeout(() => {
        const { tip: text = "", tipKeys: keys } = element.dataset;
        if (element.isConnected) setTip({ text, keys, target: element.getBoundingClientRect() });
      }, DELAY_MS);
    };
    const hideOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    const abort = new AbortController();
    const options = { signal: abort.signal, capture: true, passive: true };
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, show, options);
    for (const name of ["pointerdown", "focusout", "scroll"]) document.addEventListener(name, hide, options);
    document.addEventListener("keydown", hideOnEscape, options);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, []);

  // The tooltip's size is known only after it has been rendered.
  useEffect(() => {
    const { current } = box;
    if (tip === undefined || current === null) return;
    const { target } = tip;
    const { offsetWidth: width, offsetHeight: height } = current;
    const below = target.bottom + GAP + height < innerHeight;
    const left = Math.max(EDGE, Math.min(target.left + target.width / 2 - width / 2, innerWidth - width - EDGE));
    current.style.translate = `${Math.round(left)}px ${Math.round(below ? target.bottom + GAP : target.top - GAP - height)}px`;
  }, [tip]);

  // Dialogs are drawn over the page's stacking context. A tooltip over a dialog must be outside of it, too.
  return (
    tip &&
    createPortal(
      <div ref={box} className={styles.tip} aria-hidden>
        {tip.text}
        {tip.keys !== undefined && <kbd>{formatKeys(tip.keys)}</kbd>}
      </div>,
      document.body,
    )
  );
}
