/**
 * Of the package's arguments those are left out that a person's browser does not have: one process for all, which closes
 * with the first page, no same-origin policy, and a graphics card in software, which took a third of the processor time
 * and whose threads run on cores that were not given to it.
 */
const forLambdas =
  /^--(single-process|disable-web-security|allow-running-insecure-content|in-process-gpu|use-gl|use-angle|ignore-gpu-blocklist|enable-unsafe-swiftshader)/;

export const chromiumArgs = (ofPackage: readonly string[]): string[] => [
  ...ofPackage.filter((arg) => !forLambdas.test(arg)),
  '--disable-gpu',
  '--disable-software-rasterizer',
];
