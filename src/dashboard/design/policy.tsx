import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

/** Keeps Base UI from writing `<style>` elements, which the page's policy refuses. */
export function Policy({ children }: { readonly children: ReactNode }) {
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
