import { describeError } from "./describe-error.ts";
import { toast } from "./toast.tsx";

/**
 * Reports that a change met something that another tab has removed. The message is a toast, because the dialog of the change leaves the
 * page with the removed thing.
 * @returns whether the error is of this kind
 */
export function reportGone(error: unknown): boolean {
  if ((error as { readonly statusCode?: number } | undefined)?.statusCode !== 404) return false;
  toast({ tone: "danger", title: "Nothing was changed", description: describeError(error).message });
  return true;
}
