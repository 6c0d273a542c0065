// Writes the JSON Schema of sceneshift.yaml beside the build, from the contract that validates it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configSchema } from '../dist/index.js';
import { root } from './setup.mjs';

const schema = z.toJSONSchema(configSchema, { io: 'input' });
writeFileSync(
  join(root, 'dist/sceneshift.schema.json'),
  `${JSON.stringify({ title: 'sceneshift.yaml', ...schema }, null, 2)}\n`,
);
