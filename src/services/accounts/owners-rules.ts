import { ERRORS } from "../../domain/errors.ts";
import type { FileRules, VariantMode } from "../../domain/file-rules.ts";
import type { AccountContext } from "../context.ts";

/** The rules for files that the owner sets. */
export interface OwnersRules {
  hotlink?: OwnersHotlinkRule;
  variants: VariantMode;
}

export interface OwnersHotlinkRule {
  allowedHosts: string[];
  allowEmptyReferer: boolean;
}

/** A rule that is absent stays as it is. */
export interface OwnersRulesChange {
  /** Null allows every page. */
  readonly hotlink?: OwnersHotlinkRule | null | undefined;
  readonly variants?: VariantMode | undefined;
}

export async function readOwnersRules({ meter }: AccountContext): Promise<OwnersRules> {
  return toOwners(await meter.readFileRules());
}

/**
 * Changes the pages that may show the account's files and the variants that strangers may ask for (SET-3, SET-4). It takes effect within a
 * minute. The dashboard may always show the files.
 * @returns all rules after the change
 * @throws ServiceError 404 if the account was erased
 */
export async function changeOwnersRules(
  account: AccountContext,
  { hotlink, variants }: OwnersRulesChange,
): Promise<OwnersRules> {
  if (hotlink === undefined && variants === undefined) return readOwnersRules(account);
  const { meter, config } = account;
  const rules = await meter.changeFileRules({
    ...(hotlink !== undefined && {
      hotlink: hotlink && {
        allowedHosts: [...new Set(hotlink.allowedHosts.map((host) => host.toLowerCase()))],
        allowEmptyReferer: hotlink.allowEmptyReferer,
        serviceHost: new URL(config.apiOrigin).hostname,
      },
    }),
    ...(variants !== undefined && { variants: variants === "open" ? null : variants }),
  });
  if (rules === undefined) throw ERRORS.AccountNotFound();
  return toOwners(rules);
}

function toOwners({ hotlink, variants: restricted }: FileRules): OwnersRules {
  const variants = restricted ?? "open";
  if (hotlink === undefined) return { variants };
  const { allowedHosts, allowEmptyReferer } = hotlink;
  return { hotlink: { allowedHosts: [...allowedHosts], allowEmptyReferer }, variants };
}
