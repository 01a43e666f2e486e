/** Keys of the grid of files that are no commands, for the help sheet. */
export const GRID_KEYS = [
  { title: "Move", keys: ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"] },
  { title: "First, last", keys: ["Home", "End"] },
  { title: "Open", keys: ["Enter"] },
  { title: "Select", keys: ["x", "Space"] },
  { title: "Select up to here", keys: ["Shift+ArrowRight"] },
  { title: "Select none", keys: ["Escape"] },
] as const;
