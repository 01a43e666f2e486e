import { useEffect, useRef, useState } from "react";
import type { Address } from "./use-address.ts";

const PAUSE_MS = 200;

/**
 * What is typed into the search: it counts a moment after the last letter. The first search is a step of the history, its next letters are
 * not.
 * @returns the text, what sets it, and what makes it count at once
 */
export function useSearchText(address: Address) {
  const { filters } = address;
  const [text, setText] = useState(filters.q);
  const now = useRef(address);
  now.current = address;
  const written = useRef(filters.q);
  const pending = useRef<() => void>(undefined);

  useEffect(() => {
    // The address changed otherwise: by "back", or a chip that was taken away.
    if (filters.q === written.current) return;
    written.current = filters.q;
    setText(filters.q);
  }, [filters.q]);
  useEffect(() => {
    const q = text.trim().normalize("NFC");
    if (q === now.current.filters.q) return;
    const { href } = location;
    const write = () => {
      stop();
      const { filters, setFilters, isChosen } = now.current;
      // A link was followed meanwhile: what was typed was for the place before it.
      if (location.href !== href && !isChosen()) return setText(filters.q);
      written.current = q;
      setFilters({ ...filters, q }, filters.q !== "");
    };
    const timer = setTimeout(write, PAUSE_MS);
    const stop = () => {
      clearTimeout(timer);
      pending.current = undefined;
    };
    pending.current = write;
    return stop;
  }, [text]);
  return [text, setText, () => pending.current?.()] as const;
}
