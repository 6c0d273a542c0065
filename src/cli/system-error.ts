/** What the operating system says, in words that tell what to do; undefined: not an error of that kind. */
export function systemErrorText(error: unknown): string | undefined {
  const given = error as NodeJS.ErrnoException & { dest?: string };
  const message = String(given?.message ?? error);
  const { code, where } = given?.code ? { code: given.code, where: given.dest ?? given.path } : readMessage(message);
  const at = where ? ` ${where}` : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/.test(message))
    return `The disk is full${where ? `, writing${at}` : ''}; make room and run the same command again: it goes on from there`;
  if (code === 'EACCES' || code === 'EPERM' || /Permission denied/.test(message))
    return `No permission for${at || ' a file'}; change its rights, or choose another place`;
  if (code === 'EROFS')
    return `${where ?? 'The folder'} is on a file system that cannot be written to; choose another place`;
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'Too many files are open at once; raise the limit (ulimit -n 4096) or use fewer --threads';
  if (code === 'ENOTDIR' || code === 'EEXIST') return `Expected a folder at${at}, but a file is there`;
  if (code === 'EISDIR') return `Expected a file at${at}, but a folder is there`;
  return undefined;
}

/** From a worker thread comes the message alone: `EPERM: operation not permitted, mkdir '/x'`. */
function readMessage(message: string): { code?: string; where?: string } {
  const [, code] = /^(E[A-Z]+): /.exec(message) ?? [];
  return code ? { code, where: /'([^']*)'$/.exec(message)?.[1] } : {};
}
