import { ARROWS } from "./table.ts";

const BEGIN = "<!-- arrows: begin -->";
const END = "<!-- arrows: end -->";

/** The rooms of `src/` and their arrows as a Mermaid picture. Every room may import `domain`, so those arrows are left out. */
function drawPicture(): string {
  const isDrawn = (name: string) => !name.includes("/") && name !== "domain";
  const lines = Object.entries(ARROWS)
    .filter(([name]) => isDrawn(name))
    .flatMap(([name, { rooms }]) => {
      const targets = new Set(rooms.map((room) => room.split("/")[0] as string).filter((room) => room !== name));
      return [...targets]
        .filter((target) => isDrawn(target) && target !== "migrations")
        .map((to) => `  ${name} --> ${to}`);
    });
  return ["```mermaid", "flowchart TD", ...lines, "```"].join("\n");
}

/** The page with the current picture between its two marks. */
export function withPicture(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const [, after = ""] = rest.split(END);
  return `${before}${BEGIN}\n\n${drawPicture()}\n\n${END}${after}`;
}
