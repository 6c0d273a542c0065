import { countOf, pointsOf as points, rangeOf } from '../../contracts/numbers.ts';
import type { Verdict } from '../../contracts/verdict.ts';

type Facts = Omit<Verdict, 'words'>;

/** One sentence for each of the answers; "not shown" is never worded as "it is not so". */
export function verdictSentence(model: string, verdict: Facts): string {
  return [sentence(model, verdict), ...border(verdict)].join(' ');
}

function sentence(model: string, { answer, reason, loss, margin, pasting, images, imagesNeeded }: Facts): string {
  const limit = points(margin);
  if (answer === 'not-measured' || !loss)
    return `Whether ${model} leans on the scene was not measured: nothing put its objects before other backgrounds.`;
  const lost =
    loss.estimate < 0
      ? `gain ${points(-loss.estimate)} points (95 % interval of the loss ${rangeOf(loss.ci, points)})`
      : `lose ${points(loss.estimate)} points (95 % interval ${rangeOf(loss.ci, points)})`;
  const beyond = pasting === null ? '' : ` beyond the ${points(pasting)} that pasting alone costs`;
  const before = `before other backgrounds its objects ${lost}${beyond}`;
  if (answer === 'leans') return `${model} leans on the scene: ${before}, more than the margin of ${limit}.`;
  if (answer === 'does-not')
    return `${model} does not lean on the scene: ${before}, and a loss of ${limit} points is ruled out.`;
  const open = `Whether ${model} leans on the scene is not settled`;
  if (reason === 'guessing')
    return `${open}: it hardly beats guessing on the photographs as they are, so it has nothing to lose.`;
  if (reason === 'no-paste-back')
    return `${open}: ${before}, but what pasting alone costs was not measured; run paste-back beside it.`;
  const cure =
    imagesNeeded === null
      ? `the loss is too close to the margin of ${limit} for any number of images`
      : `with the margin of ${limit}, about ${countOf(imagesNeeded)} images would settle it (there are ${countOf(images)})`;
  return `${open}: ${before}; ${cure}.`;
}

function border({ border: counted, scenarios }: Facts): string[] {
  if (!counted) return [];
  const [object, background] = [points(counted.object.estimate), points(counted.background.estimate)];
  const only =
    counted.scenarios.length < scenarios.length ? ` (${counted.scenarios.join(', ')} alone was tried both ways)` : '';
  const sides = `with their uncertain border counted to the object the loss is ${object} points, to the background ${background}${only}.`;
  if (counted.decides) return [`The masks decide it: ${sides}`];
  if (counted.apart) return [`How much it is hangs on the masks: ${sides}`];
  return [
    `Counting the masks' uncertain border to the object (${object} points) or to the background (${background}) does not change that${only}.`,
  ];
}
