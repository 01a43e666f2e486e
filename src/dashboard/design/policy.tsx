import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

/** Keeps Base UI from adding `<style>` elements, which the page's Content-Security-Policy blocks. */
export function Policy({ children }: { readonly children: ReactNode }) {
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
