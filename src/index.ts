// The library: the command line's words as functions. docs/library.md shows each at work.

import './formats/no-telemetry.ts';

export { z } from 'zod';
export type { Comparison, SegmentationComparison } from './contracts/comparison.ts';
export { type Config, configSchema, type Gate } from './contracts/config.ts';
export { SampleError, UserError } from './contracts/errors.ts';
export type { ModelConfig } from './contracts/model-config.ts';
export type { ModelRecord } from './contracts/model-record.ts';
export type { ErrorLine, PredictionRow } from './contracts/prediction.ts';
export type { Dataset, MaskSource, Sample } from './contracts/sample.ts';
export type { Score } from './contracts/score.ts';
export { defineReader, layouts, type Reader } from './dataset/index.ts';
export { type DecodeOptions, decodeImage } from './image/decode.ts';
export { encodeImage, encodeMask } from './image/encode.ts';
export type { Mask, Raster } from './image/raster.ts';
export {
  analyze,
  compare,
  type ReportOptions,
  type RunCallOptions,
  type RunResult,
  type RunSettings,
  report,
  run,
  score,
} from './library/commands.ts';
export { type OpenDatasetOptions, type OpenedDataset, openDataset } from './library/dataset.ts';
export { type ApplyOptions, type Picture, type ScenarioHandle, scenario } from './library/scenario.ts';
export type { AnalyzePathOptions as AnalyzeOptions } from './metrics/analyze/analyze-path.ts';
export type { ComparePathsOptions as CompareOptions } from './metrics/compare/compare-paths.ts';
export type { ScoreOptions } from './metrics/score/options.ts';
export { type Answer, defineModel, type Model, type ModelDescription, type ModelKind } from './models/define.ts';
export { describeModel, openModel } from './models/open.ts';
export { loadPlugins } from './run/plugins/load.ts';
export { defineScenario, type Scene, type Variant } from './scenarios/define.ts';
export { presets } from './scenarios/presets.ts';
export { scenarios } from './scenarios/registry.ts';
