import { secondsRatio } from "./compression/judge.ts";
import { startProcessor } from "./compression/processor.ts";
import { makeSources } from "./compression/sources.ts";
import { compareSpeed } from "./compression/speed.ts";
import { benchWaits } from "./compression/waits.ts";

const all = await makeSources();
await using processor = await startProcessor();
await benchWaits(all, processor.url);
for (const source of all.filter(({ name }) => /4 MP|12 MP/.test(name))) {
  console.log(source.name, secondsRatio(await compareSpeed(source, processor.url)).toFixed(2));
}
