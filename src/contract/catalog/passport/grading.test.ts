import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFECT_IDS, DEFECTS } from './defects.ts';
import { GRADES, type Grade } from './grades.ts';
import { proposalsOf, proposeGrade, type Ticked } from './grading.ts';
import { conditionOfPassport, learnedOf, passportProblem } from './passport-rules.ts';
import { because } from './passport-words.ts';

const rank = (grade: Grade | null | 'not listed'): number =>
  grade === null || grade === 'not listed' ? GRADES.length : GRADES.indexOf(grade);

const named = fc.constantFrom(
  ...DEFECT_IDS.flatMap((defect) => DEFECTS[defect].degrees.map(({ degree }): Ticked => ({ defect, degree }))),
);
const some = fc.uniqueArray(named, { selector: ({ defect }) => defect, maxLength: 12 });

describe('the table of defects', () => {
  test.each(DEFECT_IDS)('%s leaves no better grade where it is worse', (id) => {
    const caps = DEFECTS[id].degrees.map(({ cap }) => rank(cap));
    expect(caps).toEqual(caps.toSorted((a, b) => a - b));
    expect(caps.length).toBeGreaterThan(0);
  });
});

describe('a proposed grade', () => {
  test('is never raised by a defect more', () => {
    fc.assert(
      fc.property(some, named, (ticked, more) => {
        const others = ticked.filter(({ defect }) => defect !== more.defect);
        expect(rank(proposeGrade([...others, more]).grade)).toBeGreaterThanOrEqual(rank(proposeGrade(others).grade));
      }),
    );
  });

  test('is never raised by a worse degree', () => {
    fc.assert(
      fc.property(some, named, (ticked, one) => {
        const others = ticked.filter(({ defect }) => defect !== one.defect);
        const grades = DEFECTS[one.defect].degrees.map(({ degree }) =>
          rank(proposeGrade([...others, { defect: one.defect, degree }]).grade),
        );
        expect(grades).toEqual(grades.toSorted((a, b) => a - b));
      }),
    );
  });

  test('is the same in whatever order defects are named', () => {
    fc.assert(
      fc.property(
        some.chain((ticked) =>
          fc.tuple(
            fc.constant(ticked),
            fc.shuffledSubarray(ticked, { minLength: ticked.length, maxLength: ticked.length }),
          ),
        ),
        ([ticked, shuffled]) => {
          expect(proposeGrade(shuffled).grade).toBe(proposeGrade(ticked).grade);
          expect(learnedOf({ defects: shuffled, jacket: 'with' })).toEqual(
            learnedOf({ defects: ticked, jacket: 'with' }),
          );
        },
      ),
    );
  });

  test('is the least of what each defect leaves, and says which', () => {
    const proposal = proposeGrade([
      { defect: 'corners', degree: 'slight' },
      { defect: 'writing', degree: 'heavy' },
    ]);
    expect(proposal.grade).toBe('Fair');
    expect(because(proposal)).toBe('Writing, notes (heavy) leaves no better grade.');
  });

  test('is lowered by three or four defects that leave a step or less', () => {
    const three = [
      { defect: 'corners', degree: 'slight' },
      { defect: 'sunned', degree: 'slight' },
      { defect: 'foxing', degree: 'slight' },
    ] as const;
    expect(proposeGrade(three.slice(1)).grade).toBe('Near Fine');
    const proposal = proposeGrade(three);
    expect(proposal.grade).toBe('Very Good');
    expect(because(proposal)).toBe('Three defects that each leave Near Fine or less lower it together.');
    expect(proposeGrade(three.map(({ defect }) => ({ defect, degree: 'clear' }))).grade).toBe('Good');
    const four = ['water', 'eaten', 'spine-cracked', 'repaired'] as const;
    expect(proposeGrade(four.map((defect) => ({ defect, degree: 'slight' }))).grade).toBe('Fair');
  });

  test('is unknown where nothing is ticked, As New where somebody looked and found nothing', () => {
    expect(proposalsOf({})).toEqual({ book: undefined, jacket: undefined });
    expect(proposalsOf({ noDefects: true }).book?.grade).toBe('As New');
    expect(learnedOf({})).toMatchObject({ grade: null, exLibrary: null, annotated: null });
    expect(learnedOf({ noDefects: true })).toMatchObject({ grade: 'As New', exLibrary: false, annotated: false });
  });
});

describe('what a seller says', () => {
  test('may be a lower grade than the proposal, and never a higher one', () => {
    const defects = [{ defect: 'writing', degree: 'clear' }] as const;
    expect(passportProblem({ defects: [...defects], grade: 'Fair' })).toBeUndefined();
    expect(passportProblem({ defects: [...defects], grade: 'Good' })).toBeUndefined();
    expect(passportProblem({ defects: [...defects], grade: 'Very Good' })).toBe(
      'The grade is Good at most. Writing, notes (clear) leaves no better grade.',
    );
    expect(passportProblem({ grade: 'Fine' })).toMatch(/^Tick the defects/);
  });

  test('grades the jacket by itself, which changes no condition', () => {
    const worn = { jacket: 'with', noDefects: true, defects: [{ defect: 'jacket-taped', degree: 'heavy' }] } as const;
    expect(learnedOf({ ...worn, defects: [...worn.defects] })).toMatchObject({ grade: 'As New', jacketGrade: 'Poor' });
    expect(conditionOfPassport({ ...worn, defects: [...worn.defects] })).toBe('Excellent');
    expect(passportProblem({ defects: [...worn.defects] })).toBe('Jacket taped: say that there is a jacket');
  });

  test.each([
    ['Fine', 'Excellent'],
    ['Near Fine', 'Excellent'],
    ['Very Good', 'Good'],
    ['Good', 'Good'],
    ['Fair', 'Fair'],
    ['Poor', 'Fair'],
  ] as const)('%s gives the condition %s', (grade, condition) => {
    expect(conditionOfPassport({ noDefects: true, grade })).toBe(condition);
  });

  test.each([
    [{ noDefects: true, defects: [{ defect: 'smell', degree: 'slight' }] }, /take one of both back/],
    [{ defects: [{ defect: 'code-used', degree: 'heavy' }] }, /no such degree/],
    [
      {
        defects: [
          { defect: 'smell', degree: 'slight' },
          { defect: 'smell', degree: 'heavy' },
        ],
      },
      /each defect once/,
    ],
    [{ defects: [{ defect: 'mould', degree: 'heavy' }] }, /not to be listed/],
  ] as const)('%j is refused', (said, sentence) => {
    expect(passportProblem(structuredClone(said) as never)).toMatch(sentence);
  });
});
