import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WAITING_TESTS } from "./slow-tests.ts";

/** Starts the tests that wait longest first, so that the others run beside them. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = WAITING_TESTS.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? WAITING_TESTS.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
