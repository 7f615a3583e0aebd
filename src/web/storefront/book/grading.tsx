import type { MetaFunction } from 'react-router';
import { DEFECT_IDS, DEFECTS, type Defect } from '#contract/catalog/passport/defects.ts';
import { GRADE_MEANINGS, GRADES } from '#contract/catalog/passport/grades.ts';
import { COUNTS, RULES_VERSION } from '#contract/catalog/passport/grading.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'How books are graded',
    description:
      'What the grades of second-hand books mean here, and the table of defects by which a grade is proposed.',
    path: '/grading',
    type: 'article',
  });

const HEAD = 'py-2 pe-4 text-start font-semibold';
const CELL = 'py-2 pe-4 align-top';

const Defects = ({ of, caption }: { of: Defect['of']; caption: string }) => (
  <table className="mt-4 w-full text-sm">
    <caption className="pb-2 text-start font-serif text-lg font-semibold">{caption}</caption>
    <thead>
      <tr className="border-b border-base-300">
        <th scope="col" className={HEAD}>
          Defect
        </th>
        <th scope="col" className={HEAD}>
          The best grade that it leaves
        </th>
      </tr>
    </thead>
    <tbody>
      {DEFECT_IDS.map((id) => DEFECTS[id])
        .filter((defect) => defect.of === of)
        .map(({ name, hint, degrees }) => (
          <tr key={name} className="border-b border-base-300">
            <th scope="row" className={`${CELL} text-start font-normal`}>
              {name}
              {hint !== undefined && <span className="block text-muted">{hint}</span>}
            </th>
            <td className={CELL}>
              {degrees.map(({ degree, word, cap }) => (
                <span key={degree} className="block">
                  {degrees.length > 1 && <span className="text-muted">{word}: </span>}
                  {cap}
                </span>
              ))}
            </td>
          </tr>
        ))}
    </tbody>
  </table>
);

const Grading = () => (
  <div className="page max-w-3xl py-10 sm:py-14">
    <h1 className="font-serif text-4xl font-bold">How books are graded</h1>
    <p className="mt-2 text-muted">
      Sellers name what is wrong with a copy. The grade follows from that, by this table and for everybody alike; a
      seller may choose a lower one, never a higher one. Rules of version {RULES_VERSION}.
    </p>
    <section aria-labelledby="grades" className="mt-8">
      <h2 id="grades" className="font-serif text-2xl font-semibold">
        The grades
      </h2>
      <dl className="mt-3">
        {GRADES.map((grade) => (
          <div key={grade} className="border-t border-base-300 py-3">
            <dt className="font-semibold">{grade}</dt>
            <dd>
              {GRADE_MEANINGS[grade].means}{' '}
              <span className="text-muted">Its condition is {GRADE_MEANINGS[grade].condition}.</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
    <section aria-labelledby="defects" className="mt-8">
      <h2 id="defects" className="font-serif text-2xl font-semibold">
        What defects leave
      </h2>
      <p className="mt-2">The grade is the least that one of its defects leaves. Their number may lower it further:</p>
      <ul className="mt-2 list-disc ps-5">
        {COUNTS.map(({ least, cap, atMost }) => (
          <li key={cap}>
            {least} or more that each leave {cap} or less: {atMost} at most
          </li>
        ))}
      </ul>
      <p className="mt-2">
        A book of which nobody says anything is not graded: that is unknown, and not As New. The jacket is graded by
        itself and changes nothing about the book’s condition.
      </p>
      <Defects of="book" caption="The book" />
      <Defects of="jacket" caption="The jacket" />
    </section>
  </div>
);
export default Grading;
