import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The process at the other end of a loopback connection, where the system tells (Linux). */
export async function peerPid(socket: Socket): Promise<number | undefined> {
  if (process.platform !== 'linux' || socket.remotePort === undefined || socket.localPort === undefined)
    return undefined;
  try {
    const inode = await inodeOf(socket.remotePort, socket.localPort);
    return inode === undefined ? undefined : await holderOf(inode);
  } catch {
    return undefined;
  }
}

/** /proc/net/tcp: column 1 is the local end, 2 the remote one, 9 the inode of the socket. */
async function inodeOf(local: number, remote: number): Promise<string | undefined> {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8')).split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (portOf(columns[1]) === local && portOf(columns[2]) === remote) return columns[9];
    }
  }
  return undefined;
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16);
}

async function holderOf(inode: string): Promise<number | undefined> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const descriptors = await readdir(`/proc/${name}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${name}/fd/${descriptor}`).catch(() => '');
      if (target === `socket:[${inode}]`) return Number(name);
    }
  }
  return undefined;
}
