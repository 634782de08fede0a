import { pathToFileURL } from 'node:url';
import { VERSION } from '@tandem/core';

/** What is asked of a language server, and what the page can make use of. */
export function initializeParams(folder: string, initializationOptions: unknown): object {
  const uri = pathToFileURL(folder).href;
  const format = ['markdown', 'plaintext'];
  return {
    processId: process.pid, // a server ends by itself when we are gone
    clientInfo: { name: 'Tandem', version: VERSION },
    rootUri: uri,
    rootPath: folder,
    workspaceFolders: [{ uri, name: folder }],
    initializationOptions,
    capabilities: {
      general: { positionEncodings: ['utf-16'], markdown: { parser: 'marked' } },
      workspace: { workspaceFolders: true, configuration: true },
      window: { workDoneProgress: false },
      textDocument: {
        synchronization: { didSave: true },
        publishDiagnostics: { versionSupport: true },
        hover: { contentFormat: format },
        completion: {
          completionItem: { snippetSupport: true, documentationFormat: format, insertReplaceSupport: false },
          completionList: { itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat'] },
          contextSupport: true,
        },
        signatureHelp: {
          contextSupport: true,
          signatureInformation: {
            documentationFormat: format,
            parameterInformation: { labelOffsetSupport: true },
            activeParameterSupport: true,
          },
        },
        definition: {},
        references: {},
        rename: {},
        formatting: {},
      },
    },
  };
}

/** Requests of a server that have an answer here. None of them lets it change a file. */
export function answerServer(method: string, params: unknown): { result: unknown } | undefined {
  switch (method) {
    case 'workspace/configuration': {
      const items = (params as { items?: unknown } | undefined)?.items;
      return { result: Array.isArray(items) ? items.map(() => null) : [] };
    }
    case 'workspace/applyEdit':
      return { result: { applied: false, failureReason: 'edits are made by the user' } };
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
    case 'window/showMessageRequest':
      return { result: null };
    default:
      return undefined;
  }
}
