import { render } from 'preact';
import './style.css';
import { App } from './app.tsx';

// The policy forbids code made from text, which zod would otherwise try when it is first loaded.
(globalThis as { __zod_globalConfig?: unknown }).__zod_globalConfig = { jitless: true };

render(<App />, document.getElementById('studio') as HTMLElement);
