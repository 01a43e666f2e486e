import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_TESTS } from "./slow-tests.ts";

/** Starts the longest test files first, so that none of them runs alone at the end while a core is idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST_TESTS.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? LONGEST_TESTS.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
