import { Toasts } from "../design/toast.tsx";
import { TooltipLayer } from "../design/tooltip-layer.tsx";

/** What lies over every page. */
export function Overlays() {
  return (
    <>
      <Toasts />
      <TooltipLayer />
    </>
  );
}
