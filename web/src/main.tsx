import { render } from 'preact';
import './style.css';
import { App } from './app.tsx';

render(<App />, document.getElementById('studio') as HTMLElement);
