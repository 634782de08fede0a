import { t } from '../l10n/t.ts';
import type { Picture } from './draft.ts';

const KINDS: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** As base64 they are a third larger, and an agent takes no more than ten megabytes at once. */
const MAX_BYTES = 5_000_000;

/** The pictures among what was pasted or dropped; what cannot go is told. */
export async function picturesOf(
  files: Iterable<File>,
  refuse: (message: string) => void,
): Promise<readonly Picture[]> {
  const found: Picture[] = [];
  for (const file of files) {
    if (!KINDS.includes(file.type))
      refuse(t('{0} is no picture that agents take (PNG, JPEG, GIF, WebP).', file.name || t('This')));
    else if (file.size > MAX_BYTES) refuse(t('{0} is larger than 5 MB.', file.name || t('The picture')));
    else found.push({ name: file.name || t('picture'), mimeType: file.type, data: await base64Of(file) });
  }
  return found;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
