/** What a report is made of, whatever it is written as: sections of text, figures, tables and strips of pictures. */
export interface Report {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'verdict'; readonly sentences: readonly string[] }
  /** What makes everything below doubtful; plain text. */
  | { readonly kind: 'alarm'; readonly lines: readonly string[] }
  /** Inline marks: `**strong**` and `` `code` ``. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly folded?: string }
  /** Shown only when opened. */
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'table'; readonly table: ReportTable }
  | { readonly kind: 'gallery'; readonly pictures: readonly GalleryPicture[] }
  | { readonly kind: 'strips'; readonly strips: readonly Strip[]; readonly models: readonly string[] };

export type ReportCell = string | number | null;

export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  /** A drawing of its own: namespace, fonts and legend inside. */
  readonly svg: string;
  readonly data: readonly Readonly<Record<string, ReportCell>>[];
  /** Two stand side by side. */
  readonly half?: boolean;
}

export interface ReportColumn {
  readonly key: string;
  readonly label: string;
  readonly align?: 'left' | 'right';
  /** How the value is shown; CSV gets the value itself. */
  readonly show?: (value: ReportCell, row: Readonly<Record<string, ReportCell>>) => string;
  /** Further value columns shown together with this one (the ends of an interval), written to CSV as their own. */
  readonly with?: readonly string[];
}

export interface ReportTable {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly Readonly<Record<string, ReportCell>>[];
  /** Shown only when opened. */
  readonly folded?: boolean;
}

/** One sample through every scenario. */
export interface Strip {
  readonly sample: string;
  readonly label: string;
  readonly why: string;
  readonly tiles: readonly {
    readonly scenario: string;
    readonly title: string;
    /** `data:` address of the picture. */
    readonly src: string;
    readonly width: number;
    readonly height: number;
    /**
     * Whether scores count this edit; the line above the strip says in which of the counted edits models are mistaken.
     */
    readonly counted: boolean;
    /** False where the object is gone: no answer is a mistake then. */
    readonly judged: boolean;
    readonly answers: readonly { readonly model: string; readonly prediction: string; readonly correct: boolean }[];
  }[];
}

/** A picture by itself. */
export interface GalleryPicture {
  readonly title: string;
  /** Lines below it; plain text. */
  readonly notes: readonly string[];
  /** `data:` address of the picture. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export const showCell = (column: ReportColumn, row: Readonly<Record<string, ReportCell>>): string => {
  const value = row[column.key] ?? null;
  if (column.show) return column.show(value, row);
  return value === null ? '–' : String(value);
};

/** Tables and figures of a report, in order. */
export const tablesOf = (report: Report): ReportTable[] =>
  blocksOf(report).flatMap((block) => (block.kind === 'table' ? [block.table] : []));

export const figuresOf = (report: Report): Figure[] =>
  blocksOf(report).flatMap((block) => (block.kind === 'figures' ? block.figures : []));

const blocksOf = ({ sections }: Report): Block[] => sections.flatMap(({ blocks }) => blocks.flatMap(unfolded));
const unfolded = (block: Block): Block[] => (block.kind === 'fold' ? block.blocks.flatMap(unfolded) : [block]);
