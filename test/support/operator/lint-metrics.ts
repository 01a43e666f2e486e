/** The faults of a text in Prometheus' exposition format 0.0.4, as `promtool check metrics` reports them. */
export function lintMetrics(text: string): string[] {
  const faults: string[] = [];
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const seen = new Set<string>();
  let current = "";
  if (!text.endsWith("\n")) faults.push("the last line does not end");
  for (const line of text.split("\n").slice(0, -1)) {
    const [, kind = "", name = "", rest = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (helps.has(name)) faults.push(`${name} has two HELP lines`);
      helps.add(name);
    } else if (kind === "TYPE") {
      if (types.has(name)) faults.push(`${name} has two TYPE lines`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) faults.push(`${name} is a ${rest}`);
      if ((rest === "counter") !== name.endsWith("_total")) faults.push(`${name} is a ${rest} by another name`);
      types.set(name, rest);
      current = name;
    } else {
      const sample =
        /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([a-z_]+="(?:[^"\\\n]|\\[\\n"])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\n"])*")*)\})? (\S+)$/.exec(
          line,
        );
      if (sample === null) {
        faults.push(`not a sample: ${line}`);
        continue;
      }
      const [, series = "", , value] = sample;
      const family = types.get(current) === "histogram" ? series.replace(/_(bucket|sum|count)$/, "") : series;
      if (family !== current) faults.push(`${series} is not below its TYPE`);
      if (!helps.has(family)) faults.push(`${series} has no HELP`);
      if (Number.isNaN(Number(value))) faults.push(`${series} is ${value}`);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(key)) faults.push(`${key} is there twice`);
      seen.add(key);
    }
  }
  return faults;
}
