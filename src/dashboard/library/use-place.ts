import { type RefObject, useLayoutEffect, useState } from "react";

/** How large the scrolled element is, in CSS pixels; zero before it is known. @param mode another one is measured anew */
export function usePlace(scroller: RefObject<HTMLElement | null>, mode: string) {
  const [place, setPlace] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const style = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const height = element.clientHeight;
      setPlace((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, mode]);
  return place;
}
