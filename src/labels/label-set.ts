/** Names of a model's outputs, or of a dataset's classes, in order. */
export interface LabelSet {
  readonly id?: string;
  /** Several names of one output are separated by commas. */
  readonly names: readonly string[];
  /** WordNet ids of the outputs, where the names are ImageNet's. */
  readonly wnids?: readonly string[];
}
