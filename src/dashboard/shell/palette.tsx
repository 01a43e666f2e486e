import { useQuery } from "@tanstack/react-query";
import Folder from "lucide-react/icons/folder";
import Search from "lucide-react/icons/search";
import { useState } from "react";
import { useLocation } from "wouter";
import { foldersQuery } from "../api/queries/folders.ts";
import { hasWords } from "../design/has-words.ts";
import { type PaletteItem, PaletteWindow } from "../design/palette-window.tsx";
import { useCommands } from "./commands.ts";
import { rankCommands } from "./rank-commands.ts";

interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The maximum of folders in the list. */
const MOST_FOLDERS = 8;

/** Finds commands and folders by name, and starts a search for files. */
export default function Palette({ open, onOpenChange }: PaletteProps) {
  const commands = useCommands();
  const folders = useQuery(foldersQuery).data ?? [];
  const [query, setQuery] = useState("");
  const [, navigate] = useLocation();
  const text = query.trim();
  const change = (next: boolean) => {
    if (!next) setQuery("");
    onOpenChange(next);
  };
  const possible = commands.filter(({ id, when }) => id !== "palette" && when?.() !== false);
  const items: PaletteItem[] = rankCommands(possible, text).map(({ run, ...command }) => ({
    ...command,
    onSelect: run,
  }));
  const found = text === "" ? [] : folders.filter(({ name }) => hasWords(name, text)).slice(0, MOST_FOLDERS);
  const places: PaletteItem[] = found.map(({ _id, name, parentId }) => {
    const parent = folders.find((folder) => folder._id === parentId)?.name;
    return {
      id: `folder-${_id}`,
      title: parent === undefined ? name : `${parent} / ${name}`,
      icon: Folder,
      onSelect: () => navigate(`/library?folder=${_id}`),
    };
  });
  const search: PaletteItem = {
    id: "search-files",
    title: `Search files for “${text}”`,
    icon: Search,
    onSelect: () => navigate(`/library?${new URLSearchParams({ q: text })}`),
  };
  return (
    <PaletteWindow
      open={open}
      onOpenChange={change}
      label="All commands"
      placeholder="Search files, folders and commands"
      query={query}
      onQueryChange={setQuery}
      items={text === "" ? items : [...items, ...places, search]}
    />
  );
}
