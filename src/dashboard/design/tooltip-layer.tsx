import { useEffect, useRef, useState } from "react";
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
 * The tooltips of all elements that have `data-tip`, once a page: an element for each of thousands would cost more than what it says.
 * A tooltip repeats its element's name, so that screen readers need not hear it.
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

  // Its size is known when it is there.
  useEffect(() => {
    const { current } = box;
    if (tip === undefined || current === null) return;
    const { target } = tip;
    const { offsetWidth: width, offsetHeight: height } = current;
    const below = target.bottom + GAP + height < innerHeight;
    const left = Math.max(EDGE, Math.min(target.left + target.width / 2 - width / 2, innerWidth - width - EDGE));
    current.style.translate = `${Math.round(left)}px ${Math.round(below ? target.bottom + GAP : target.top - GAP - height)}px`;
  }, [tip]);

  return (
    tip && (
      <div ref={box} className={styles.tip} aria-hidden>
        {tip.text}
        {tip.keys !== undefined && <kbd>{formatKeys(tip.keys)}</kbd>}
      </div>
    )
  );
}
