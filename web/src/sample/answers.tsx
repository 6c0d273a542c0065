import { useState } from 'preact/hooks';
import type { BestAnswers, SamplePage, SampleScenario } from '../../../src/contracts/studio/sample.ts';
import { isStatic, post } from '../api.ts';
import { percent } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { href, place, setQuery } from '../router.ts';

interface AnswersProps {
  readonly run: string;
  readonly sample: SamplePage;
  readonly scenario: SampleScenario;
}

/** What every model says of one variant; the five best on a click. */
export function Answers({ run, sample, scenario: { scenario, answers } }: AnswersProps) {
  const [best, setBest] = useState<Record<string, BestAnswers['best'] | string>>({});
  const looking = place.value.query.get('looking');
  const key = (model: string) => `${scenario}\n${model}`;
  const askAll = async () => {
    for (const { model } of answers) {
      const found = await post<BestAnswers>(['runs', run, 'answers'], { sample: sample.sample, scenario, model }).then(
        (answer) => answer.best,
        (error: Error) => error.message,
      );
      setBest((known) => ({ ...known, [key(model)]: found }));
    }
  };
  return (
    <div>
      <div class="answers-head">
        <h2>{scenario}</h2>
        {!isStatic && (
          <button type="button" onClick={askAll}>
            Five best answers of every model
          </button>
        )}
      </div>
      <div class="scroll answers">
        <table>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Answer</th>
              <th scope="col" class="number">
                Sure
              </th>
              <th scope="col">Against the original</th>
              {!isStatic && <th scope="col">Looks at</th>}
            </tr>
          </thead>
          <tbody>
            {answers.map(({ model, answer, probability, correct, flip }) => {
              const found = best[key(model)];
              return (
                <>
                  <tr key={model}>
                    <th scope="row" class="long-name" title={model}>
                      <a
                        href={href(['runs', run, 'explore'], { model, outcome: 'wrong' })}
                        title={`All that ${model} gets wrong`}
                      >
                        {model}
                      </a>
                    </th>
                    <td class="long-name">
                      <a
                        class={correct ? 'right' : 'wrong'}
                        href={href(['runs', run, 'explore'], { class: sample.label, answered: answer, scenario })}
                        title={`All of ${sample.label} answered ${answer} in ${scenario}`}
                      >
                        {answer}
                      </a>
                    </td>
                    <NumberCell
                      to={
                        Number.isFinite(probability)
                          ? href(['runs', run, 'explore'], { model, scenario, confidence: aboutAsSure(probability) })
                          : undefined
                      }
                      title="Answers about as sure, of this model in this scenario"
                    >
                      {Number.isFinite(probability) ? percent(probability) : ''}
                    </NumberCell>
                    <td>{flip ?? ''}</td>
                    {!isStatic && (
                      <td>
                        <button
                          type="button"
                          aria-pressed={looking === model}
                          aria-label={`map: where ${model} looks`}
                          onClick={() => setQuery({ looking: looking === model ? null : model }, { replace: true })}
                        >
                          map
                        </button>
                      </td>
                    )}
                  </tr>
                  {found && (
                    <tr key={`${model} best`}>
                      <td colSpan={5}>
                        {typeof found === 'string' ? <span class="error">{found}</span> : <Best best={found} />}
                      </td>
                    </tr>
                  )}
                </>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The tenth that a share lies in, as a filter. */
function aboutAsSure(share: number): string {
  const tenth = Math.min(9, Math.floor(10 * share));
  return `${tenth / 10}-${(tenth + 1) / 10}`;
}

const Best = ({ best }: { best: BestAnswers['best'] }) => (
  <ol class="best">
    {best.map(({ answer, probability, isTruth }) => (
      <li key={answer} class={isTruth ? 'right' : undefined}>
        <meter min={0} max={1} value={probability} aria-label={`${answer}: ${percent(probability)}`} /> {answer}{' '}
        <span class="soft">{percent(probability)}</span>
      </li>
    ))}
  </ol>
);
