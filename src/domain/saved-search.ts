/** A view of the library that its owner has named (FIND-1). */
export interface SavedSearch {
  readonly id: string;
  readonly name: string;
  /** The path and the parameters below `/dashboard`: `/library?type=png&alt=without`. */
  readonly address: string;
}

export const MAX_SAVED_SEARCHES = 50;
export const MAX_SEARCH_NAME_CHARACTERS = 100;
export const MAX_SEARCH_ADDRESS_CHARACTERS = 2000;
