import { Suspense, useState } from "react";
import { useProofWanted } from "../api/proof-store.ts";
import { lazyPart } from "../design/lazy-part.tsx";

const ProofWindow = lazyPart(() => import("./proof-window.tsx"));

/** Opens over the page when a change needs a recent proof that the user is the owner. */
export function ProofDialog() {
  const isWanted = useProofWanted();
  const [wasShown, setWasShown] = useState(isWanted);
  if (isWanted && !wasShown) setWasShown(true);
  return <Suspense fallback={null}>{wasShown && <ProofWindow open={isWanted} />}</Suspense>;
}
