import type { Expiry, Filters } from "../view/filters.ts";

export const EXPIRY_TITLES: Readonly<Record<Expiry, string>> = {
  week: "Expires in 7 days",
  month: "Expires in 30 days",
  any: "Expires",
  never: "Never expires",
};

type Fact = readonly [title: string, without: Partial<Filters>];

/** The filters that "More" has set: the name of each, and the change that removes it. */
export function listFacts({ camera, orientation, expiry, visibility, alt }: Filters): Fact[] {
  const facts: (Fact | undefined)[] = [
    orientation && [capitalized(orientation), { orientation: undefined }],
    camera === "" ? undefined : [camera, { camera: "" }],
    expiry && [EXPIRY_TITLES[expiry], { expiry: undefined }],
    visibility && [capitalized(visibility), { visibility: undefined }],
    alt && [alt === "with" ? "With alt text" : "No alt text", { alt: undefined }],
  ];
  return facts.filter((fact) => fact !== undefined);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
