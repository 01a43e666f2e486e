import { useEffect, useRef, useState } from "react";
import type { Filters } from "./filters.ts";

const PAUSE_MS = 200;

/** What is typed into the search: it counts a moment after the last letter. The first search is a step of the history, its next letters are not. */
export function useSearchText(filters: Filters, setFilters: (next: Filters, isReplaced: boolean) => void) {
  const [text, setText] = useState(filters.q);
  const now = useRef({ filters, setFilters });
  now.current = { filters, setFilters };
  const written = useRef(filters.q);

  useEffect(() => {
    // The address changed otherwise: by "back", or a chip that was taken away.
    if (filters.q === written.current) return;
    written.current = filters.q;
    setText(filters.q);
  }, [filters.q]);
  useEffect(() => {
    const q = text.trim().normalize("NFC");
    if (q === now.current.filters.q) return;
    const timer = setTimeout(() => {
      const { filters, setFilters } = now.current;
      written.current = q;
      setFilters({ ...filters, q }, filters.q !== "");
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
