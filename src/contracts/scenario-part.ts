import { z } from 'zod';

/**
 * What a scenario is for. `shift`: the scene changes in a way that should not matter, and scores count it. `control`:
 * measures the editing itself (paste-back, noise). `removal`: the object is gone, so that a loss is right.
 */
export const scenarioPartSchema = z.enum(['original', 'shift', 'control', 'removal']);
export type ScenarioPart = z.infer<typeof scenarioPartSchema>;
