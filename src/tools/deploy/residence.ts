/** Regions for which D1 and R2 take a hint (Cloudflare D1 and R2, "Data location"). */
export const LOCATIONS = {
  weur: "Western Europe",
  eeur: "Eastern Europe",
  enam: "Eastern North America",
  wnam: "Western North America",
  apac: "Asia-Pacific",
  oc: "Oceania",
} as const;
/** Jurisdictions that D1 and R2 guarantee (the same pages). */
export const JURISDICTIONS = {
  eu: "the European Union",
  us: "the United States",
  fedramp: "FedRAMP-compliant data centres",
} as const;

export type Location = keyof typeof LOCATIONS;
export type Jurisdiction = keyof typeof JURISDICTIONS;

/** The place of an installation's data: a hint or a guarantee. Cloudflare fixes it when a store is created. */
export type Residence = { readonly location: Location } | { readonly jurisdiction: Jurisdiction };

export const isLocation = (text: string): text is Location => text in LOCATIONS;
export const isJurisdiction = (text: string): text is Jurisdiction => text in JURISDICTIONS;
