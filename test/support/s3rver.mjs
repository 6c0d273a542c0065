// node s3rver.mjs PORT FOLDER: a small S3 server, in a process of its own so that it can be killed. It reckons signatures of
// today's clients wrongly, so they are not compared; radosgw compares them (s3-server.ts).
import S3rver from '@20minutes/s3rver';

const [port, directory] = process.argv.slice(2);
await new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  allowMismatchedSignatures: true,
}).run();
