import { NO_GUARD, PLANTS, type Plant } from './plants.ts';
import { plantedTree } from './planted.ts';
import { prove } from '#lab/proofs/prove.ts';
import { SHORT } from '#lab/proofs/sizes.ts';

const RUNS = 3;

/** All in the long tests, the quickest in every run. */
export const PLANTS_TO_TRY: readonly Plant[] = process.env['DOGEAR_TEST_LONG'] === '1' ? PLANTS : [NO_GUARD];

/** The rules by which a planted mistake was found, in as many runs as it takes, three at most. */
export const planted = async (plant: Plant, say: (line: string) => void = () => {}): Promise<string[]> => {
  const { tree, remove } = plantedTree(plant);
  const rules: string[] = [];
  try {
    for (let seed = 1; seed <= RUNS && !rules.some((rule) => plant.caughtBy.includes(rule)); seed += 1) {
      const { findings } = await prove({
        tree,
        size: SHORT,
        seed,
        say,
        only: plant.part,
      });
      for (const { rule, says } of findings) say(`${rule}: ${says}`);
      rules.push(...findings.map(({ rule }) => rule));
    }
    return rules;
  } finally {
    remove();
  }
};
