/** Earlier versions named `cursor` `after`, and `pagination.nextCursor` `next`. Both names are still valid. */

interface Given {
  readonly cursor?: string | undefined;
  readonly after?: string | undefined;
}

export function withCursor<Query extends Given>({
  after,
  ...query
}: Query): Omit<Query, "after"> & Pick<Given, "cursor"> {
  return { ...query, cursor: query.cursor ?? after };
}

export function toPaging(nextCursor: string | null) {
  return { pagination: { nextCursor }, next: nextCursor };
}
