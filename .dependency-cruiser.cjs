// The import direction of the design: each tier may import itself (its own folder) and the tiers before it.
const tiers = [
  ['contracts'],
  ['storage'],
  ['formats'],
  ['labels', 'net', 'image', 'stats'],
  ['dataset', 'scenarios', 'models', 'generate'],
  ['run'],
  ['metrics', 'train', 'mine', 'explain', 'review'],
  ['report'],
  ['server', 'library'],
  ['cli'],
];

const forbidden = tiers
  .flatMap((tier, level) =>
    tier.map((folder) => ({
      name: `${folder}-imports-downwards-only`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: `^src/(${tiers
          .slice(level)
          .flat()
          .filter((other) => other !== folder)
          .join('|')})/`,
      },
    })),
  )
  .filter((rule) => rule.to.path !== '^src/()/');

module.exports = {
  forbidden: [
    ...forbidden,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'contracts-import-zod-alone',
      severity: 'error',
      from: { path: '^src/contracts/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^src/contracts/', 'node_modules/zod'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: 'src/image/kernels/assembly' },
  },
};
