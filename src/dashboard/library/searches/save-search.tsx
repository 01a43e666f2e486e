import { useQuery } from "@tanstack/react-query";
import Bookmark from "lucide-react/icons/bookmark";
import { useState } from "react";
import { savedSearchesQuery, useSavedSearchChanges } from "../../api/queries/saved-searches.ts";
import { Chip } from "../../design/chip.tsx";
import { toast } from "../../design/toast.tsx";
import { NameDialog } from "../folders/name-dialog.tsx";
import type { Filters } from "../view/filters.ts";
import { addressOf } from "./address-of.ts";

/** Saves the view under a name. It is not offered for a view that is saved already. */
export default function SaveSearch({ filters }: { readonly filters: Filters }) {
  const { data: searches = [] } = useQuery(savedSearchesQuery);
  const { add } = useSavedSearchChanges();
  const [isAsking, setAsking] = useState(false);
  const address = addressOf(filters);
  // The dialog stays if another tab saves the same search.
  if (!isAsking && searches.some((search) => search.address === address)) return null;
  return (
    <>
      <Chip icon={Bookmark} onClick={() => setAsking(true)}>
        Save search
      </Chip>
      {isAsking && (
        <NameDialog
          open
          onOpenChange={() => setAsking(false)}
          title="Save this search"
          action="Save"
          suggestion={filters.q}
          onName={async (name) => {
            await add.mutateAsync({ name, address });
            toast({ title: `${name} saved in the sidebar` });
          }}
        />
      )}
    </>
  );
}
