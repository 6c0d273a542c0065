export { defineScenario } from './scenarios/define.ts';
