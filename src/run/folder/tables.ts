import type { z } from 'zod';
import { type RunTable, runTables } from '../../contracts/run-tables.ts';

export type ColumnType = 'VARCHAR' | 'DOUBLE' | 'INTEGER' | 'BOOLEAN';

/**
 * Beside its contract's columns a stored row has `condition` (hash of all that decides the answer: model, scenario,
 * settings) and `sampleHash` (hash of the sample it was asked about). From these a later call knows which answers are
 * there and which are out of date.
 */
export type StoredRow<Row> = Row & { readonly condition: string; readonly sampleHash: string };
export const identityColumns = ['condition', 'sampleHash'] as const;
/** What 0.1 called them, in the same order. */
export const formerIdentityColumns = ['unit', 'source'] as const;

export const tableNames = Object.keys(runTables) as RunTable[];

/** A table's columns as its contract has them, then the identities. */
export function columnsOf(table: RunTable): [name: string, type: ColumnType][] {
  const shape = Object.entries(runTables[table].row.shape as Record<string, z.core.$ZodType>);
  return [
    ...shape.map(([name, schema]): [string, ColumnType] => [name, columnType(name, schema)]),
    ...identityColumns.map((name): [string, ColumnType] => [name, 'VARCHAR']),
  ];
}

function columnType(name: string, schema: z.core.$ZodType): ColumnType {
  const { def, isInt } = schema as unknown as { def: { type: string; innerType?: z.core.$ZodType }; isInt?: boolean };
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return columnType(name, def.innerType as z.core.$ZodType);
    case 'string':
    case 'enum':
      return 'VARCHAR';
    case 'boolean':
      return 'BOOLEAN';
    case 'number':
      return isInt ? 'INTEGER' : 'DOUBLE';
    default:
      throw new Error(`a run's tables hold words, numbers and truth values; column ${name} is a ${def.type}`);
  }
}
