import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** A real S3-compatible server of the test's own, on free ports of this machine. */
export interface S3Server {
  readonly name: string;
  /** Whether it puts on condition; others answer 501, or put all the same. */
  readonly puts: 'on condition' | 'refuses conditions' | 'ignores conditions';
  /** Address and credentials, as a user would set them. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it at once, as a power cut would; what it has stored stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
/** Ceph's gateway puts on condition; it comes with Debian: apt-get install radosgw ceph-mon ceph-osd. */
export const hasRadosGateway = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-authtool'].every(has);

/** Out of npm, so it is always there; it writes over what is there, whatever the condition. */
export async function startS3rver(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-s3rver-'));
  const port = await freePort();
  const script = fileURLToPath(new URL('../../test/support/s3rver.mjs', import.meta.url));
  return serve({
    name: 's3rver',
    puts: 'ignores conditions',
    port,
    folder,
    credentials: ['S3RVER', 'S3RVER'],
    command: [process.execPath, [script, String(port), folder]],
    others: [],
  });
}

const osd = '11111111-2222-3333-4444-555555555555';
const cluster = '9d2c1b5e-3b0f-4f7e-9a43-5f0e3c1d7a10';

/** Ceph with one monitor and one disk, which is memory. */
export async function startRadosGateway(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-ceph-'));
  const [monitor, port] = [await freePort(), await freePort()];
  for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'ceph.conf'), cephSettings(folder, monitor, port));
  const conf = ['-c', join(folder, 'ceph.conf')];
  const sh = (program: string, args: string[]) => execFileSync(program, args, { stdio: 'ignore', timeout: 120_000 });
  const keyring = join(folder, 'keyring');
  sh('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  for (const who of ['client.admin', 'client.rgw', 'osd.0'])
    sh('ceph-authtool', [keyring, '--gen-key', '-n', who, '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']);
  const map = join(folder, 'monmap');
  sh('monmaptool', ['--create', '--add', 'a', `127.0.0.1:${monitor}`, '--fsid', cluster, map]);
  sh('ceph-mon', [...conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring]);
  const others = [spawn('ceph-mon', [...conf, '-i', 'a', '-f'], { stdio: 'ignore' })];
  sh('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', osd]);
  sh('ceph', [...conf, 'osd', 'new', osd, '0']);
  others.push(spawn('ceph-osd', [...conf, '-i', '0', '-f'], { stdio: 'ignore' }));
  const credentials: [string, string] = ['testkey', 'testsecret'];
  const server = await serve({
    name: 'radosgw',
    puts: 'on condition',
    port,
    folder,
    credentials,
    command: ['radosgw', [...conf, '-n', 'client.rgw', '-f']],
    others,
  });
  const user = ['user', 'create', '--uid', 'test', '--display-name', 'test'];
  const keys = ['--access-key', credentials[0], '--secret-key', credentials[1]];
  sh('radosgw-admin', [...conf, '-n', 'client.rgw', ...user, ...keys]);
  return server;
}

const cephSettings = (folder: string, monitor: number, port: number) => `[global]
fsid = ${cluster}
mon host = 127.0.0.1:${monitor}
keyring = ${folder}/keyring
public addr = 127.0.0.1
cluster addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 2
run dir = ${folder}/run
log file = /dev/null
admin socket = ${folder}/run/$name.$pid.asok
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd class load list = *
osd class default list = *
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw data = ${folder}/rgw
`;

/** OpenStack's object storage speaks S3 and refuses conditional puts; Debian: swift-proxy swift-account swift-container swift-object memcached. */
export const hasSwift = existsSync('/usr/bin/swift-proxy-server') && existsSync('/usr/bin/memcached');

/** Swift with one disk, which is a folder. Its salt must lie in /etc/swift. */
export async function startSwift(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-swift-'));
  const [memcached, port] = [await freePort(), await freePort()];
  const salt = '[swift-hash]\nswift_hash_path_prefix = sceneshift\nswift_hash_path_suffix = test\n';
  if (!existsSync('/etc/swift/swift.conf')) writeFileSync('/etc/swift/swift.conf', salt);
  const others = [spawn('memcached', ['-u', 'root', '-l', '127.0.0.1', '-p', String(memcached)], { stdio: 'ignore' })];
  for (const kind of ['account', 'container', 'object']) {
    const own = await freePort();
    const builder = join(folder, `${kind}.builder`);
    const ring = (...args: string[]) => execFileSync('swift-ring-builder', [builder, ...args], { stdio: 'ignore' });
    ring('create', '4', '1', '1');
    ring('add', `r1z1-127.0.0.1:${own}/disk`, '1');
    ring('rebalance');
    mkdirSync(join(folder, 'devices', 'disk'), { recursive: true });
    const settings = join(folder, `${kind}.conf`);
    writeFileSync(settings, swiftSettings(folder, own, `${kind}-server`, kind));
    others.push(spawn(`swift-${kind}-server`, [settings], { stdio: 'ignore' }));
  }
  const proxy = join(folder, 'proxy.conf');
  writeFileSync(proxy, swiftProxySettings(folder, port, memcached));
  return serve({
    name: 'swift',
    puts: 'refuses conditions',
    port,
    folder,
    credentials: ['test:tester', 'testing'],
    command: ['swift-proxy-server', [proxy]],
    others,
  });
}

const swiftCommon = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
user = root
workers = 0
log_address = /dev/null
`;

const swiftSettings = (folder: string, port: number, app: string, egg: string) => `${swiftCommon(folder, port)}
[pipeline:main]
pipeline = ${app}
[app:${app}]
use = egg:swift#${egg}
recon_cache_path = ${folder}
`;

const swiftProxySettings = (folder: string, port: number, memcached: number) => `${swiftCommon(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`;

interface Served {
  readonly name: string;
  readonly puts: S3Server['puts'];
  readonly port: number;
  readonly folder: string;
  readonly credentials: readonly [string, string];
  readonly command: readonly [string, readonly string[]];
  readonly others: readonly ChildProcess[];
}

async function serve({ name, puts, port, folder, credentials, command, others }: Served): Promise<S3Server> {
  const address = `http://127.0.0.1:${port}`;
  let running: ChildProcess | undefined;
  const start = async () => {
    const child = spawn(command[0], command[1], { stdio: 'ignore' });
    running = child;
    while (!(await answers(address))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with status ${child.exitCode}`);
      await wait(100);
    }
  };
  const stop = async () => {
    await end(running);
    running = undefined;
  };
  await start();
  return {
    ...{ name, puts, start, stop },
    env: {
      AWS_ENDPOINT_URL: address,
      AWS_ACCESS_KEY_ID: credentials[0],
      AWS_SECRET_ACCESS_KEY: credentials[1],
      AWS_REGION: 'us-east-1',
    },
    async close() {
      await stop();
      for (const other of [...others].reverse()) await end(other);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );

const end = (child: ChildProcess | undefined) =>
  new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
