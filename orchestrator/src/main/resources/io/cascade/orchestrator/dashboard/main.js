import { App } from './app.js';
import { start } from './live.js';
import { html, render } from './ui.js';

const root = document.getElementById('app');
root.replaceChildren();
render(html`<${App} />`, root);
start();
