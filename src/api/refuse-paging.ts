import { ERRORS } from "../domain/errors.ts";
import { type Issue, toDetails } from "./validation-details.ts";

/**
 * Rejects a listing's invalid query. A bad `page` or `limit` has its own message (LIST-2).
 * @throws ServiceError 400
 */
export function refusePaging(
  result:
    | { readonly success: true }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } },
): undefined {
  if (result.success) return undefined;
  const { issues } = result.error;
  const paging = issues.filter(({ path }) => path[0] === "page" || path[0] === "limit");
  throw paging.length > 0 ? ERRORS.InvalidPaging(toDetails(paging)) : ERRORS.InvalidQuery(toDetails(issues));
}
