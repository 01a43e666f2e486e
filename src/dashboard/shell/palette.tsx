import Search from "lucide-react/icons/search";
import { useState } from "react";
import { useLocation } from "wouter";
import { type PaletteItem, PaletteWindow } from "../design/palette-window.tsx";
import { useCommands } from "./commands.ts";
import { rankCommands } from "./rank-commands.ts";

interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Every command by its name, and a search of the files. */
export default function Palette({ open, onOpenChange }: PaletteProps) {
  const commands = useCommands();
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
  const search: PaletteItem = {
    ...{ id: "search-files", title: `Search files for “${text}”`, icon: Search },
    onSelect: () => navigate(`/library?${new URLSearchParams({ q: text })}`),
  };
  return (
    <PaletteWindow
      open={open}
      onOpenChange={change}
      label="All commands"
      placeholder="Search files or type a command"
      query={query}
      onQueryChange={setQuery}
      items={text === "" ? items : [...items, search]}
    />
  );
}
