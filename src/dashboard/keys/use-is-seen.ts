import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether an element was in view once: what it shows is asked for then. */
export function useIsSeen<Seen extends HTMLElement>(): [RefObject<Seen | null>, boolean] {
  const ref = useRef<Seen>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (isSeen || current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsSeen(true),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
