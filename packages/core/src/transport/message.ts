import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';

/** The library drops what it cannot read without an answer, so nothing of that kind may reach it. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResultResponse(value) ||
    isJSONRPCErrorResponse(value)
  );
}

/** The answer to something that is no message, with its id if it has a usable one. */
export function notAMessage(value: unknown) {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  const usable = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
  return rpcErrorBody(usable ? id : null, -32600, 'the message is not JSON-RPC 2.0');
}

export function rpcErrorBody(id: string | number | null, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
