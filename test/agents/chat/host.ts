// A process that starts an agent, as a daemon or as a child, and is going to be killed. Run by chat-daemon.test.ts.
import { AcpConnection } from '../../../packages/chat/src/acp/connection.ts';
import { OwnDaemon } from '../../../packages/chat/src/daemon/own-daemon.ts';

const [, , cwd = '.', side] = process.argv;
const { command, args } = JSON.parse(process.env.QWEN ?? '{}') as { command: string; args: string[] };
if (side === 'daemon') {
  await new OwnDaemon({ command, args, cwd, env: process.env }).locate();
} else {
  const agent = { id: 'qwen', name: 'Qwen Code', command, args: [...args, '--acp'] };
  const connection = new AcpConnection({ agent, cwd });
  await connection.start();
  await connection.newSession();
}
console.log('running');
setInterval(() => {}, 1000);
