import * as vscode from 'vscode';

/** Says why there is no chat, without any code. */
export function restrictedPage(webview: vscode.Webview): void {
  const { t } = vscode.l10n;
  webview.options = { enableScripts: false, localResourceRoots: [], enableCommandUris: [TRUST] };
  const reason = t(
    'Restricted mode: an agent works with your rights, so none is started in a workspace that is not trusted.',
  );
  const link = `<a href="command:${TRUST}">${escaped(t('Manage Workspace Trust'))}</a>`;
  webview.html = `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Chat</title>
</head>
<body><p>${escaped(reason)}</p><p>${link}</p></body>
</html>`;
}

const TRUST = 'workbench.trust.manage';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
