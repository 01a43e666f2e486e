import Search from "lucide-react/icons/search";
import { type FormEvent, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { formatKeys } from "../design/format-keys.ts";
import { IconButton } from "../design/icon-button.tsx";
import { registerCommands, runCommand } from "./commands.ts";
import styles from "./search-field.module.css";

interface SearchFieldProps {
  /** The library's query, which is in its URL. Without `onChange`, Enter opens the library. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly onEnter?: () => void;
}

/** The search field of the top bar; `/` focuses it. On phones, a button that opens the palette. */
export function SearchField({ value, onChange, onEnter }: SearchFieldProps) {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      registerCommands([
        {
          id: "search",
          title: "Search files",
          keys: "/",
          icon: Search,
          run: () => (input.current?.offsetParent ? input.current.select() : runCommand("palette")),
        },
      ]),
    [],
  );
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (onChange !== undefined) return onEnter?.();
    const text = input.current?.value.trim() ?? "";
    if (text !== "") navigate(`/library?${new URLSearchParams({ q: text })}`);
  };
  return (
    <search className={styles.search}>
      <form className={styles.form} onSubmit={search}>
        <Search size={16} aria-hidden />
        <input
          ref={input}
          type="search"
          name="q"
          className={styles.input}
          aria-label="Search files"
          placeholder="Search names, tags, folders"
          autoComplete="off"
          enterKeyHint="search"
          {...(onChange === undefined
            ? { defaultValue: value }
            : { value: value ?? "", onChange: (event) => onChange(event.currentTarget.value) })}
        />
        <button
          type="button"
          className={styles.keys}
          aria-label={`All commands, ${formatKeys("$mod+k")}`}
          data-tip="All commands"
          onClick={() => runCommand("palette")}
        >
          {formatKeys("$mod+k")}
        </button>
      </form>
      <IconButton
        label="Search"
        icon={Search}
        size="large"
        className={styles.button}
        onClick={() => runCommand("palette")}
      />
    </search>
  );
}
