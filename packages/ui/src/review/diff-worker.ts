/** The entry of the worker that keeps long comparisons off the page's thread. */
import { linesOf } from './diff.ts';
import { type DiffAnswer, type DiffRequest, packedDiff } from './packed.ts';

interface WorkerScope {
  onmessage: ((event: MessageEvent<DiffRequest>) => void) | null;
  postMessage(answer: DiffAnswer, transfer: Transferable[]): void;
}

const scope = self as unknown as WorkerScope;
let before: string[] = [''];

scope.onmessage = ({ data }) => {
  if (data.before !== undefined) before = linesOf(data.before);
  const answer = packedDiff(before, data.text);
  scope.postMessage({ id: data.id, ...answer }, [answer.packed.buffer]);
};
