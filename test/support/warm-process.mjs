// node warm-process.mjs CLI: the built command line in a process that stays (warm-processes.ts). Each message is one call, which finds
// code, libraries and threads loaded already.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cli = new URL(process.argv[2]);
const home = process.cwd();
let said;
let strays = '';
for (const name of ['stdout', 'stderr']) {
  process[name].setMaxListeners(0);
  process[name].write = (text, encoding, done) => {
    const bytes = Buffer.from(text, typeof encoding === 'string' ? encoding : undefined);
    if (said) said[name].push(bytes);
    else strays += bytes;
    if (said && (name === 'stderr' || said.tellsAll)) process.send({ said: bytes.toString(), by: name });
    const called = typeof encoding === 'function' ? encoding : done;
    if (called) process.nextTick(called);
    return true;
  };
}
process.setMaxListeners(0);
// A command that was interrupted ends itself a second later, whatever it left: here others are under way by then, and what is left is noticed.
const kill = process.kill.bind(process);
process.kill = (pid, signal) => (pid === process.pid && ['SIGINT', 'SIGTERM'].includes(signal)) || kill(pid, signal);

/** A program that calls the library several times keeps its threads likewise; what does so has no name outside the bundle. */
async function findKeeper() {
  const folder = new URL('.', cli);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const file = files.find((name) => readFileSync(new URL(name, folder), 'utf8').includes('function keepThreadsWhile('));
  if (!file) throw new Error(`no keepThreadsWhile in ${fileURLToPath(folder)}`);
  return Object.values(await import(new URL(file, folder).href)).find(({ name }) => name === 'keepThreadsWhile');
}

let keepThreadsWhile;
let endThreads;
async function keepThreads() {
  keepThreadsWhile ??= await findKeeper();
  let end;
  const kept = keepThreadsWhile(() => new Promise((resolve) => (end = resolve)));
  endThreads = () => {
    end();
    return kept;
  };
}

/** What would keep a process from ending, by kind. */
function running() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const patienceMs = 2 * 60_000;

/** A process of its own ends when nothing is left to be done; so does a call here. */
async function nothingLeft(before) {
  const begun = Date.now();
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const left = [...running()].filter(([kind, count]) => kind !== 'Immediate' && count > (before.get(kind) ?? 0));
    if (!left.length) return;
    const names = left.map(([kind, count]) => `${count} ${kind}`).join(', ');
    if (Date.now() - begun > patienceMs)
      throw new Error(`it leaves something running that keeps a process alive: ${names}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let calls = 0;
process.on('message', async ({ args, cwd, settings = {}, tellsAll = false }) => {
  if (!calls) await keepThreads();
  // A thread has the environment of its start.
  const isApart = Object.keys(settings).length > 0;
  if (isApart) await endThreads();
  const known = Object.keys(settings).map((name) => [name, process.env[name]]);
  Object.assign(process.env, settings);
  if (strays) throw new Error(`an earlier call wrote after its end: ${strays}`);
  const before = running();
  const mine = { stdout: [], stderr: [], tellsAll };
  said = mine;
  process.chdir(cwd);
  // As a user calls it: a studio starts other commands by this name.
  process.argv = [process.argv[0], fileURLToPath(new URL('../bin/sceneshift.js', cli)), ...args];
  process.exitCode = undefined;
  await import(`${cli.href}?call=${++calls}`);
  await nothingLeft(before);
  said = undefined;
  process.chdir(home);
  for (const [name, value] of known) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  if (isApart) await keepThreads();
  const [stdout, stderr] = [mine.stdout, mine.stderr].map((parts) => Buffer.concat(parts).toString());
  process.send({
    ran: { status: process.exitCode ?? 0, stdout, stderr },
    megabytes: process.memoryUsage.rss() / 2 ** 20,
  });
});
process.on('disconnect', () => kill(process.pid, 'SIGKILL'));
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    process.send({ died: String(error?.stack ?? error) }, () => kill(process.pid, 'SIGKILL'));
  });
