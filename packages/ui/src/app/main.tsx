import { render } from 'preact';
import { speak } from '../l10n/t.ts';
import { App } from './app.tsx';
import { Store } from './store.ts';

void speak(navigator.language, () => import('../l10n/zh-cn/page.ts')).then((language) => {
  document.documentElement.lang = language;
  const store = new Store();
  const root = document.getElementById('app');
  if (root) render(<App store={store} />, root);
  void store.connection.start();
});
