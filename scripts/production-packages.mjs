import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages that the studio's page is built of: devDependencies of web/, yet part of what is shipped. */
const inThePage = ['preact', '@preact/signals', '@preact/signals-core'];

/** Everything that a user gets: what npm installs with the package on any platform, and what is built into the page. */
export function productionPackages(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries(lock.packages)
    .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ''), ...entry }))
    .filter(({ path, link }) => path.includes('node_modules/') && !link)
    .filter(({ name, dev, devOptional }) => !(dev || devOptional) || inThePage.includes(name));
  const missing = inThePage.find((name) => !packages.some((one) => one.name === name));
  if (missing)
    throw new Error(
      `${missing} is not in package-lock.json; tell scripts/production-packages.mjs what the page is built of`,
    );
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}
