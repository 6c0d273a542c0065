// The one way to a run folder on disk, for reading and for writing.
export type { ReadColumn } from './columns.ts';
export { duckDbVersion, fromParquet, openDuckDb, sqlText } from './duckdb.ts';
export { type FolderLock, inOwnFolder, isBeingWritten, lockFolder } from './lock.ts';
export type { StaleKey } from './match-keys.ts';
export { openRunFolder, type RunFolder, readParquetColumns, withRunFolder } from './open.ts';
export { checkOut, checkSameData } from './ownership.ts';
export {
  earlierRecord,
  readDocument,
  readErrorLines,
  readRunRecord,
  writeErrorLines,
  writeRunRecord,
} from './record.ts';
export { recordedConfig } from './recorded-config.ts';
export { createShardWriter } from './shard-writer.ts';
export { answerShards, countShardRows, isRunFolder } from './shards.ts';
export { openRunStore, openStoreDatabase, type RunStore } from './store.ts';
export type { StoredRow } from './tables.ts';
