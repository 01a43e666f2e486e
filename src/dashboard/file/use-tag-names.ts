import { useQuery } from "@tanstack/react-query";
import { tagsQuery } from "../api/queries/tags.ts";

const MOST = 12;

/** The account's most used tags that hold a text. */
export function useTagNames(text: string): readonly string[] {
  const q = text.trim();
  const { data = [] } = useQuery({ ...tagsQuery(q, MOST), enabled: q !== "" });
  return data.map(({ tag }) => tag);
}
