import { useRef, useState } from "react";

/**
 * Fetches a new address, once, after a file failed to load: its signed address may have expired.
 * @param renew fetches the address
 * @returns whether the file cannot be shown, and the handlers of its error and load events
 */
export function useRenewal(source: string | undefined, renew: () => Promise<string | undefined>) {
  const [isBroken, setBroken] = useState(false);
  const isRenewed = useRef(false);
  const fail = async () => {
    if (isRenewed.current) return setBroken(true);
    isRenewed.current = true;
    if ((await renew()) === source) setBroken(true);
  };
  /** The file has loaded, so the next failure may renew again. */
  const work = () => {
    isRenewed.current = false;
  };
  return { isBroken, fail: () => void fail(), work };
}
