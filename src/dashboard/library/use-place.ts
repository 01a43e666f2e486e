import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * How large what is scrolled can be, in CSS pixels: as wide as the body, with what is beside it; zero before it is known.
 * @param mode another one is measured anew
 */
export function usePlace(body: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, mode: string) {
  const [place, setPlace] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    const outer = body.current;
    if (element === null || outer === null) return;
    const measure = () => {
      const style = getComputedStyle(element);
      const width = outer.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const height = element.clientHeight;
      setPlace((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [body, scroller, mode]);
  return place;
}
