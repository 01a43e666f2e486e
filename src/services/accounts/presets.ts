import { ERRORS } from "../../domain/errors.ts";
import { MAX_PRESET_LENGTH, MAX_PRESETS, PRESET_NAME } from "../../domain/file-rules.ts";
import { canonicalQuery, knownName, readParameters } from "../../domain/variants/parameters.ts";
import { toVariantRequest } from "../../domain/variants/parse-variant.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";

/** A named set of a variant's parameters. */
export interface Preset {
  readonly name: string;
  /** As in a URL: `w=300&h=300&fit=crop`. */
  readonly parameters: string;
}

/** The presets, by name. */
export async function listPresets(account: AccountContext, query: PageQuery): Promise<Page<Preset>> {
  const list = { name: "listPresets", accountId: account.accountId };
  return pageOfFew(account, query, { list, rows: await readPresets(account), keyOf: ({ name }) => name });
}

async function readPresets({ meter }: AccountContext): Promise<Preset[]> {
  const { presets = {} } = await meter.readFileRules();
  return Object.entries(presets)
    .map(([name, parameters]) => ({ name, parameters }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws ServiceError 404 */
export async function getPreset(account: AccountContext, name: string): Promise<Preset> {
  const preset = (await readPresets(account)).find((each) => each.name === name);
  if (preset === undefined) throw ERRORS.PresetNotFound();
  return preset;
}

/**
 * Adds or replaces a preset (VAR-8). It takes effect within a minute. Variants that were made of the earlier one stay stored.
 * @throws ServiceError 400 that names each wrong parameter, or for too many presets; 404 if the account was erased
 */
export async function putPreset({ meter }: AccountContext, name: string, parameters: string): Promise<Preset> {
  if (!PRESET_NAME.test(name))
    throw ERRORS.InvalidRequest({ name: "Must be 1 to 40 small letters, digits and hyphens" });
  const query = toPresetQuery(parameters);
  const outcome = await meter.putNamedRule("presets", name, query);
  if (outcome === "full") throw ERRORS.TooManyOf("presets", MAX_PRESETS);
  if (outcome === undefined) throw ERRORS.AccountNotFound();
  return { name, parameters: query };
}

/** @throws ServiceError 404 */
export async function deletePreset({ meter }: AccountContext, name: string): Promise<void> {
  if (!(await meter.deleteNamedRule("presets", name))) throw ERRORS.PresetNotFound();
}

/** Reads the parameters as those of a URL, but refuses unknown ones. */
function toPresetQuery(text: string): string {
  const query = text.replace(/^\?/, "");
  const wrong: Record<string, string> = {};
  for (const name of new URLSearchParams(query).keys()) {
    const known = knownName(name);
    if (known === undefined || known === "p") wrong[name] = "Is not a parameter of a preset";
  }
  const parameters = readParameters(query);
  const parsed = toVariantRequest(parameters);
  const errors = { ...("errors" in parsed ? parsed.errors : {}), ...wrong };
  if (Object.keys(errors).length > 0) throw ERRORS.InvalidRequest(errors);
  const canonical = canonicalQuery(parameters);
  if (canonical === "")
    throw ERRORS.InvalidRequest({ parameters: "Must be a variant's parameters, such as w=300&fm=webp" });
  if (canonical.length > MAX_PRESET_LENGTH)
    throw ERRORS.InvalidRequest({ parameters: `Must have at most ${MAX_PRESET_LENGTH} characters` });
  return canonical;
}
