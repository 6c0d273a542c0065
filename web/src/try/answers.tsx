import type { TryAnswer } from '../../../src/contracts/studio/try.ts';
import { percent } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';

interface AnswersProps {
  readonly models: readonly string[];
  /** What the answers are about; shown with them, so that nobody takes them for another picture's. */
  readonly scenario: string;
  readonly answers: ReadonlyMap<string, TryAnswer>;
  /** To the photograph itself. */
  readonly before: ReadonlyMap<string, TryAnswer>;
  readonly problem: string;
  /** The page of the sample shown, with all its edits; a picture that was sent has none. */
  readonly sample: string | undefined;
}

export function TryAnswers({ models, scenario, answers, before, problem, sample }: AnswersProps) {
  if (!models.length) return <p class="soft">No model: start the studio with a run, or with --model FILE.onnx.</p>;
  return (
    <div class="scroll try-answers">
      <table aria-label={`Answers to ${scenario}`} data-of={scenario}>
        <thead>
          <tr>
            <th scope="col">model</th>
            <th scope="col">photograph</th>
            <th scope="col">now</th>
            <th scope="col" class="number">
              sure
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => {
            const [now, was] = [answers.get(model), before.get(model)];
            const [best, usual] = [now?.best?.[0], was?.best?.[0]];
            const turned = best && usual && best.answer !== usual.answer;
            return (
              <tr key={model} class={turned ? 'turned' : undefined}>
                <th scope="row" class="long-name" title={model}>
                  {model}
                </th>
                <td>{usual && <Word of={usual} isJudged={was?.isJudged} />}</td>
                <td>
                  {best ? (
                    <details>
                      <summary>
                        <Word of={best} isJudged={now?.isJudged} />
                      </summary>
                      <ol class="best">
                        {now?.best?.map(({ answer, probability, isTruth }) => (
                          <li key={answer} class={isTruth ? 'right' : undefined}>
                            {answer} {probability !== null && percent(probability)}
                          </li>
                        ))}
                      </ol>
                    </details>
                  ) : (
                    <span class="soft">{now?.problem ?? '…'}</span>
                  )}
                </td>
                <NumberCell to={best && sample} title="The sample in all scenarios of the run">
                  {best && best.probability !== null && percent(best.probability)}
                </NumberCell>
              </tr>
            );
          })}
        </tbody>
      </table>
      {problem && <p class="error">{problem}</p>}
    </div>
  );
}

/** Right and wrong are told where the truth is known: in colour, and by a sign for those who do not see it. */
function Word({
  of: { answer, isTruth },
  isJudged,
}: {
  of: { answer: string; isTruth: boolean };
  isJudged: boolean | undefined;
}) {
  if (!isJudged) return <span>{answer}</span>;
  return (
    <span class={isTruth ? 'right' : 'wrong'}>
      {isTruth ? '✓' : '✗'} {answer}
    </span>
  );
}
