import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import { openDuckDb } from './duckdb.ts';
import { openRunFolder } from './open.ts';

it('is started once for all who ask, also after it was closed', async () => {
  const create = vi.spyOn(DuckDBInstance, 'create');
  onTestFinished(() => create.mockRestore());
  const threads = 3;
  const [first, second] = await Promise.all([openDuckDb({ threads }), openDuckDb({ threads })]);
  first.close();
  second.close();
  const { connection, close } = await openDuckDb({ threads });
  expect((await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER")).getRowsJS()).toEqual([[3]]);
  close();
  expect(create).toHaveBeenCalledTimes(1);
});

it('shows each run folder its own rows under the same names', async () => {
  const home = await mkdtemp(join(tmpdir(), 'duckdb-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const runs = ['one', 'two'].map((name) => join(home, name));
  for (const [i, run] of runs.entries()) await makeRunFolder(run, { models: [`of ${i}`], perClass: 1 + i });
  const folders = await Promise.all(runs.map((run) => openRunFolder(run)));
  const ask = () =>
    Promise.all(folders.map((folder) => folder.query('SELECT model, count(*) AS n FROM predictions GROUP BY model')));
  const expected = [[{ model: 'of 0', n: 12 }], [{ model: 'of 1', n: 24 }]];
  expect(await ask()).toEqual(expected);
  expect(await ask()).toEqual(expected);
  for (const folder of folders) folder.close();
});

it('keeps the settings of one that is apart from the others', async () => {
  const apart = await openDuckDb({ isApart: true });
  await apart.connection.run("SET memory_limit = '50MB'");
  const other = await openDuckDb();
  const limits = [apart, other].map(async ({ connection }) =>
    (await connection.runAndReadAll("SELECT current_setting('memory_limit')")).getRowsJS().flat(),
  );
  const [[its], [others]] = await Promise.all(limits);
  expect(its).toBe('47.6 MiB');
  expect(others).not.toBe(its);
  apart.close();
  other.close();
});

it('is started anew where a fatal error has left one that answers nothing', async () => {
  const threads = 2;
  (await openDuckDb({ threads })).close();
  const { connect } = DuckDBInstance.prototype;
  const dead = vi.spyOn(DuckDBInstance.prototype, 'connect').mockImplementationOnce(async function (
    this: DuckDBInstance,
  ) {
    const connection = await connect.call(this);
    vi.spyOn(connection, 'run').mockRejectedValue(new Error('the database has been invalidated'));
    return connection;
  });
  const create = vi.spyOn(DuckDBInstance, 'create');
  onTestFinished(() => {
    dead.mockRestore();
    create.mockRestore();
  });
  const { connection, close } = await openDuckDb({ threads });
  expect((await connection.runAndReadAll('SELECT 5')).getRowsJS()).toEqual([[5]]);
  expect(create).toHaveBeenCalledTimes(1);
  close();
});
