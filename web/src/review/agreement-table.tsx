import { fixedOf } from '../../../src/contracts/numbers.ts';
import type { ReviewQuestion } from '../../../src/contracts/review.ts';
import type { AgreementShown, ReviewAgreement } from '../../../src/contracts/studio/review.ts';
import { interval } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { href } from '../router.ts';

interface AgreementTableProps {
  readonly review: string;
  readonly rows: ReviewAgreement;
  readonly questions: readonly ReviewQuestion[];
}

const coefficient = (value: number): string => fixedOf(value, 2);

/** Krippendorff's α and Fleiss' κ over all, Cohen's κ of every two reviewers, question by question. */
export function AgreementTable({ review, rows, questions }: AgreementTableProps) {
  const judged = (question: string, by: readonly string[]) =>
    href(['review', review, 'results'], { question, by, show: 'all' });
  if (rows.every(({ items }) => items === 0))
    return <p class="soft">Two reviewers must have judged the same picture before agreement can be told.</p>;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Coefficient</th>
            <th scope="col">Of</th>
            <th scope="col" class="number">
              Pictures
            </th>
            <th scope="col" class="number">
              Agreement
            </th>
            <th scope="col" class="number">
              95 % interval
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.flatMap(({ question, reviewers, items, krippendorff, fleiss, pairs }) => {
            const text = questions.find(({ id }) => id === question)?.text ?? question;
            const everyone = `all ${reviewers} reviewers`;
            return [
              <Row
                key={`${question} α`}
                question={text}
                name="Krippendorff’s α"
                to={judged(question, [])}
                {...{ of: everyone, items }}
                value={krippendorff}
              />,
              fleiss && (
                <Row
                  key={`${question} κ`}
                  question={text}
                  name="Fleiss’ κ"
                  to={judged(question, [])}
                  {...{ of: everyone, items }}
                  value={fleiss}
                />
              ),
              ...pairs.map(({ a, b, items: both, cohen }) => (
                <Row
                  key={`${question} ${a} ${b}`}
                  question={text}
                  name="Cohen’s κ"
                  to={judged(question, [a, b])}
                  of={`${a}, ${b}`}
                  items={both}
                  value={cohen}
                />
              )),
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly question: string;
  readonly name: string;
  readonly of: string;
  readonly items: number;
  readonly to: string;
  readonly value: AgreementShown;
}

const Row = ({ question, name, of, items, to, value: { estimate, ci } }: RowProps) => (
  <tr>
    <th scope="row">{question}</th>
    <td>{name}</td>
    <td>{of}</td>
    <NumberCell to={items ? to : undefined}>{items}</NumberCell>
    <NumberCell to={to}>{estimate === null ? 'cannot be told' : coefficient(estimate)}</NumberCell>
    <NumberCell to={to}>{estimate === null ? 'all answers alike, or too few' : interval(ci, coefficient)}</NumberCell>
  </tr>
);
