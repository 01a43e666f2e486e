import { useState } from "react";
import { useProofWanted } from "../api/proof-store.ts";
import { sparePart } from "../design/lazy-part.tsx";

const ProofWindow = sparePart(() => import("./proof-window.tsx"));

/** Opens over the page when a change needs a recent proof that the user is the owner. */
export function ProofDialog() {
  const isWanted = useProofWanted();
  const [wasShown, setWasShown] = useState(isWanted);
  if (isWanted && !wasShown) setWasShown(true);
  return wasShown && <ProofWindow open={isWanted} />;
}
