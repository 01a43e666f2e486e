/** What an API key may be allowed besides files: the scopes in words. */
export const SCOPE_WORDS = [
  {
    scope: "folders:read",
    title: "See folders",
    hint: "List folders and how many files they hold.",
    short: "see folders",
  },
  {
    scope: "folders:write",
    title: "Change folders",
    hint: "Create, rename, move and delete folders.",
    short: "change folders",
  },
] as const;

export type KeyScope = (typeof SCOPE_WORDS)[number]["scope"];

/** What a key may do, as a sentence: every API key uploads, lists and deletes files. */
export function scopesInWords(scopes: readonly string[]): string {
  const extra = SCOPE_WORDS.filter(({ scope }) => scopes.includes(scope)).map(({ short }) => short);
  return ["Files", ...extra].join(", ");
}
