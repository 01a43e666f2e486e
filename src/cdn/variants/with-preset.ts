import { ERRORS } from "../../domain/errors.ts";
import { type FileRules, PRESET_NAME } from "../../domain/file-rules.ts";
import { readParameters, type VariantParameters } from "../../domain/variants/parameters.ts";

/** The values of `dpr` that a URL with a preset may have. A preset's sizes are exact, so strangers cannot choose others. */
const DENSITIES: ReadonlySet<string> = new Set(["1", "2", "3"]);

/**
 * The parameters of a URL with a preset (VAR-8). The URL's own parameters replace the preset's.
 * @throws ServiceError 400 for an unknown preset, and for parameters other than `dpr` in a URL that is not signed
 */
export function withPreset(
  asked: VariantParameters,
  presets: NonNullable<FileRules["presets"]>,
  isSigned: boolean,
): VariantParameters {
  const { name: parameter = "p", value: preset = "" } = asked.get("p") ?? {};
  const query = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (query === undefined) {
    const named = PRESET_NAME.test(preset) ? `There is no preset ${preset}` : "Must be the name of a preset";
    throw ERRORS.InvalidQuery({ [parameter]: named });
  }
  if (!isSigned) requireDensityAlone(asked);
  return new Map([...readParameters(query), ...asked]);
}

function requireDensityAlone(asked: VariantParameters): void {
  const wrong: Record<string, string> = {};
  for (const [known, { name, value }] of asked) {
    if (known === "p" || (known === "dpr" && DENSITIES.has(value))) continue;
    wrong[name] = known === "dpr" ? "Must be 1, 2 or 3 beside a preset" : "Must not be beside a preset";
  }
  if (Object.keys(wrong).length > 0) throw ERRORS.InvalidQuery(wrong);
}
