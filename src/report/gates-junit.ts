import { escapeXml as xml } from '../formats/escape.ts';
import type { GateResult } from '../metrics/gates.ts';

/** JUnit XML, which every CI shows: one test case per gate, model, scenario and class. */
export function gatesJunit(results: readonly GateResult[]): string {
  const failures = results.filter((result) => !result.passed).length;
  const cases = results.map(({ gate, model, scenario, class: className, message, passed }) => {
    const name = [gate.metric, scenario, className].filter(Boolean).join(' ');
    const open = `    <testcase classname="${xml(model)}" name="${xml(name)}"`;
    return passed ? `${open}/>` : `${open}>\n      <failure message="${xml(message)}"/>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failures}">`,
    `  <testsuite name="sceneshift check" tests="${results.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
