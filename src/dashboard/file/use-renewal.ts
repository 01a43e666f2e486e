import { useRef, useState } from "react";

/**
 * Gets a new address, once, for a file that could not be loaded: its signed address may have expired.
 * @param renew asks for it @returns whether the file cannot be shown at all, and what is to be called when it could not be loaded
 */
export function useRenewal(source: string | undefined, renew: () => Promise<string | undefined>) {
  const [isBroken, setBroken] = useState(false);
  const isRenewed = useRef(false);
  const fail = async () => {
    if (isRenewed.current) return setBroken(true);
    isRenewed.current = true;
    if ((await renew()) === source) setBroken(true);
  };
  /** It works again: the next failure is another one. */
  const work = () => {
    isRenewed.current = false;
  };
  return { isBroken, fail: () => void fail(), work };
}
