import { render } from 'preact';
import { App } from './app.tsx';
import { Store } from './store.ts';

const store = new Store();
const root = document.getElementById('app');
if (root) render(<App store={store} />, root);
void store.connection.start();
