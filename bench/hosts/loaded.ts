// Loaded before everything else: says which files of JavaScript the engine has compiled.
import { Session } from 'node:inspector';

const files: string[] = [];
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.url.startsWith('file:')) files.push(params.url);
});
session.post('Debugger.enable');
process.on('message', (message: { loaded?: true }) => {
  if (message.loaded) process.send?.({ loaded: files });
});
process.on('disconnect', () => process.exit());
