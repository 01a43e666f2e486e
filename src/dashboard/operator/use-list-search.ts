import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useSettled } from "../design/use-settled.ts";

/**
 * The search of a list. It is in the URL, so Back returns to it.
 * @param name of the URL's parameter
 * @returns the field's text, its setter, and the text after the user has stopped typing: undefined if it is empty
 */
export function useListSearch(name: string) {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get(name) ?? "");
  const settled = useSettled(text.trim());
  useEffect(() => {
    setSearch(settled === "" ? {} : { [name]: settled }, { replace: true });
  }, [name, settled, setSearch]);
  return { text, setText, wanted: settled === "" ? undefined : settled };
}
