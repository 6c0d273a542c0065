// node many-calls.mjs CLI CALLS: the built command line, called for each list of arguments in the JSON array, in one process.
// Prints what each said and ended with. Nothing is started again for each.
const [cli, calls] = process.argv.slice(2);
process.stdout.setMaxListeners(0);
const print = process.stdout.write.bind(process.stdout);
const ran = [];
for (const [i, args] of JSON.parse(calls).entries()) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      said[name] += text;
      return true;
    };
  }
  process.argv = [process.argv[0], 'sceneshift', ...args];
  process.exitCode = undefined;
  await import(`${cli}?call=${i}`);
  ran.push({ status: process.exitCode ?? 0, ...said });
}
process.exitCode = 0;
print(JSON.stringify(ran));
