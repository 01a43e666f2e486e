const IS_MAC = typeof navigator !== "undefined" && /Mac|iP(hone|ad|od)/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  $mod: IS_MAC ? "⌘" : "Ctrl",
  Shift: IS_MAC ? "⇧" : "Shift",
  Alt: IS_MAC ? "⌥" : "Alt",
  Delete: IS_MAC ? "⌦" : "Del",
  Escape: "Esc",
  Enter: "↵",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** Keys for display: "$mod+k" -> "Ctrl K", on a Mac "⌘K"; "g l" -> "G then L". An optional modifier such as "[Shift]" is left out. */
export function formatKeys(keys: string): string {
  return keys
    .split(" ")
    .map((press) =>
      press
        .split("+")
        .filter((key) => !/^\[.+\]$/.test(key))
        .map((key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))
        .join(IS_MAC ? "" : " "),
    )
    .join(" then ");
}
