// Lets a test ask the extension host of one window: POST / with the source of a function and its arguments, which is
// called with the vscode API. The port stands in that window's status bar, so a test finds the host of its own page.
const http = require('node:http');
const { runInThisContext } = require('node:vm');
const vscode = require('vscode');

exports.activate = async (context) => {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    let answer;
    try {
      const { source, args } = JSON.parse(body);
      const value = await runInThisContext(`(${source})`)(vscode, ...args);
      answer = { value };
    } catch (error) {
      answer = { error: String(error?.stack ?? error) };
    }
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const item = vscode.window.createStatusBarItem('probe', vscode.StatusBarAlignment.Right, -1000);
  item.name = 'Probe';
  item.text = `probe:${server.address().port}`;
  item.show();
  globalThis.probe = item;
  context.subscriptions.push(item, { dispose: () => server.close() });
};
